package main

import (
	"fmt"
	"os"
)

// The box is made of what Linux has, which Windows brings along.
func main() {
	fmt.Fprintln(os.Stderr, "scrub: on Windows, run scrub inside WSL: install that with wsl --install, open Ubuntu, "+
		"and follow the instructions for Linux there")
	os.Exit(1)
}
