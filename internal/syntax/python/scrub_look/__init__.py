"""Runs a program from inside and tells what a reducer wants to know before it cuts."""
