package sandbox

// WarmServer is the text of a warm interpreter, which a test may break.
var WarmServer = &warmServer
