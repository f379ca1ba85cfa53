package calls

// Foreign makes a system call as a 32-bit program would.
func Foreign()
