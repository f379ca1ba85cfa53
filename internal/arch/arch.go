// Package arch keeps the shape of the code: who may import whom, how big
// things may get, and which words stand where. It is all tests.
package arch
