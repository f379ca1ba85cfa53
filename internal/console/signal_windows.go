package console

import "syscall"

// continued is told to nobody here.
const continued = syscall.Signal(0x7f)
