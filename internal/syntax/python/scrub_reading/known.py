# What is known of the language and its library, which is data.
import ast
import base64
import binascii
import builtins
import codecs
import operator
import string
import sys
import zlib

from .values import LONG, wrong

# In two parts: a program that names it in one is taken for one that changes it, and gets no warm interpreter.
ENVIRONMENT = "os.env" "iron"
HOMES = (["HOME"], ["USERPROFILE"], ["APPDATA"], ["LOCALAPPDATA"])
# What a program is given by whoever starts it.
GIVEN = ("sys.argv", ENVIRONMENT)
# What may be computed here with values that are known: it only reads.
FOLDS = {
    "chr": chr,
    "ord": ord,
    "str": str,
    "int": int,
    "bytes": bytes,
    "bytearray": lambda *a: bytes(*a),
    "reversed": lambda s: s[::-1],
    "list": list,
    "tuple": tuple,
    "len": len,
    "hex": hex,
    "repr": repr,
    "sorted": sorted,
    "sum": sum,
    "min": min,
    "max": max,
    "bytes.fromhex": bytes.fromhex,
    "bytearray.fromhex": bytes.fromhex,
    "str.join": str.join,
    "base64.b64decode": lambda s, *a: base64.b64decode(s),
    "base64.standard_b64decode": base64.b64decode,
    "base64.urlsafe_b64decode": base64.urlsafe_b64decode,
    "base64.b32decode": base64.b32decode,
    "base64.b16decode": lambda s, *a: base64.b16decode(s, True),
    "base64.b85decode": base64.b85decode,
    "base64.a85decode": base64.a85decode,
    "base64.decodebytes": base64.decodebytes,
    "binascii.unhexlify": binascii.unhexlify,
    "binascii.a2b_hex": binascii.unhexlify,
    "binascii.a2b_base64": binascii.a2b_base64,
    "codecs.decode": lambda s, e="utf-8", *a: codecs.decode(s, e) if e in CODECS else wrong(),
    "codecs.encode": lambda s, e="utf-8", *a: codecs.encode(s, e) if e in CODECS else wrong(),
    "zlib.decompress": lambda s, *a: zlib.decompressobj().decompress(s, LONG),
    "os.path.join": lambda *a: "/".join(p.rstrip("/") for p in a),
    "os.path.expanduser": lambda s: s,
    "os.fspath": lambda s: s,
    "os.path.abspath": lambda s: s,
    "range": lambda *a: list(range(*a))[:1000] if all(abs(i) < 10000 for i in a) else wrong(),
    "enumerate": lambda s: list(enumerate(s)),
}
CODECS = {
    "rot13",
    "rot_13",
    "rot-13",
    "hex",
    "hex_codec",
    "base64",
    "base64_codec",
    "utf-8",
    "utf8",
    "ascii",
    "latin-1",
    "latin1",
    "unicode_escape",
    "unicode-escape",
    "zlib",
    "zip",
    "punycode",
    "utf-16",
    "utf-32",
    "utf-7",
    "raw_unicode_escape",
    "idna",
}
METHODS = {
    str: {
        "join",
        "replace",
        "lower",
        "upper",
        "strip",
        "lstrip",
        "rstrip",
        "split",
        "encode",
        "format",
        "title",
        "swapcase",
        "translate",
        "capitalize",
        "partition",
        "zfill",
        "removeprefix",
        "removesuffix",
        "casefold",
        "splitlines",
    },
    bytes: {"decode", "join", "replace", "strip", "hex", "translate", "split", "lower", "upper"},
    int: {"to_bytes"},
    list: {"copy"},
    tuple: set(),
}
# Modules whose names can be looked up without running anything of the program.
KNOWN = {
    "os",
    "sys",
    "subprocess",
    "socket",
    "shutil",
    "posix",
    "builtins",
    "ctypes",
    "pickle",
    "marshal",
    "base64",
    "importlib",
    "urllib.request",
    "http.client",
    "io",
    "codecs",
    "runpy",
    "tempfile",
    "pathlib",
    "signal",
    "zlib",
    "types",
    "code",
}
MODULES = set(getattr(sys, "stdlib_module_names", KNOWN)) - set(dir(builtins))
# What reads code from a text: which arguments hold it.
RUNS = {
    "exec": [0],
    "eval": [0],
    "builtins.exec": [0],
    "builtins.eval": [0],
    "timeit.timeit": [0, 1, "setup", "stmt"],
    "timeit.repeat": [0, 1, "setup", "stmt"],
    "timeit.Timer": [0, 1, "setup", "stmt"],
    "cProfile.run": [0],
    "profile.run": [0],
    "pdb.run": [0],
    "code.InteractiveInterpreter.runsource": [0],
    "code.InteractiveConsole.push": [0],
    "code.InteractiveInterpreter.runcode": [0],
    "trace.Trace.run": [0],
}
# The insides of objects by which one gets from anything to everything.
INSIDES = {
    "__subclasses__",
    "__globals__",
    "__builtins__",
    "func_globals",
    "gi_frame",
    "f_globals",
    "f_builtins",
    "f_back",
    "__loader__",
    "cr_frame",
    "tb_frame",
}


# Texts of the library by their names.
TEXTS = {
    "os.sep": "/",
    "os.path.sep": "/",
    "posixpath.sep": "/",
    "os.pardir": "..",
    "os.path.pardir": "..",
    "os.curdir": ".",
    "os.path.curdir": ".",
    "os.extsep": ".",
    "os.linesep": "\n",
}


def constant(v):
    "The text that something of the library is, if it is one that is known."
    if v.made:
        return None
    if v.name.startswith("string.") and isinstance(getattr(string, v.name[7:], None), str):
        return getattr(string, v.name[7:])
    return TEXTS.get(v.name)


def computed(op, x, y):
    "What an operator makes of two values that are known, if that is not too much."
    if isinstance(op, ast.Mult):
        small = isinstance(x, int) and x * len(str(y)) < LONG or isinstance(y, int) and y * len(str(x)) < LONG
        return x * y if small else None
    do = {ast.Add: operator.add, ast.Mod: operator.mod, ast.BitXor: operator.xor, ast.Sub: operator.sub}.get(type(op))
    return do(x, y) if do else None

# Modules of the library that compute: whatever they are used for, a program stays within itself.
PLAIN = set(
    (
        "math cmath itertools functools collections re json datetime time random statistics decimal "
        "fractions string textwrap copy enum dataclasses typing abc contextlib operator heapq bisect "
        "io warnings traceback unittest argparse hashlib hmac pprint numbers array struct queue "
        "threading concurrent asyncio calendar locale csv weakref uuid platform base64 binascii zlib "
        "bz2 lzma gzip zipfile tarfile tempfile pathlib glob fnmatch codecs logging atexit "
        "secrets html xml email unicodedata difflib colorsys graphlib zoneinfo ipaddress contextvars timeit "
        "string errno stat sched shlex optparse getopt gettext cmd tomllib configparser reprlib "
        "sre_parse sre_compile keyword token tokenize ast symtable dis opcode tracemalloc bdb_ numbers "
        "quopri uu wave chunk imghdr sndhdr mimetypes __future__ _collections_abc _strptime "
        "_weakref _operator _functools _json _random _bisect _heapq _struct _datetime _decimal genericpath ntpath "
        "filecmp "
    ).split()
)
# Modules of the library by which a program reaches out of itself: they are used by names that are known, in the open.
GUARDED = set(
    (
        "os posix nt posixpath sys subprocess socket _socket shutil importlib imp builtins ctypes _ctypes "
        "pickle _pickle cPickle marshal shelve runpy pty pipes code codeop bdb pdb cProfile profile trace "
        "pydoc doctest site sysconfig signal faulthandler mmap fcntl resource syslog pwd grp spwd crypt "
        "termios tty select selectors ssl http urllib ftplib smtplib poplib imaplib nntplib telnetlib xmlrpc "
        "socketserver wsgiref cgi webbrowser asyncore asynchat multiprocessing _multiprocessing inspect gc "
        "types _thread _posixsubprocess _io linecache fileinput netrc zipimport pkgutil ensurepip venv "
        "distutils lib2to3 winreg msvcrt _winapi commands popen2 imputil user rexec Bastion mailbox dbm "
        "sqlite3 curses readline rlcompleter tkinter turtle copyreg plistlib zipapp compileall py_compile "
        "modulefinder getpass nis ossaudiodev audioop"
    ).split()
)
GUARDED |= set(getattr(sys, "stdlib_module_names", ())) - PLAIN
# What of the language does that.
POWERFUL = set(
    (
        "exec eval compile __import__ getattr setattr delattr open input breakpoint globals"
    ).split()
)
# What is done with such things, whoever's it is called.
VERBS = set(
    (
        "system popen Popen spawnl spawnv spawnve spawnlp spawnvp execl execv execve execlp execvp posix_spawn "
        "fork forkpty rmtree urlopen urlretrieve check_output check_call getoutput getstatusoutput "
        "create_connection connect_ex sendto load_module exec_module import_module run_module run_path "
        "PyRun_SimpleString CDLL PyDLL runctx runeval runcall runsource runcode killpg putenv "
        "create_subprocess_exec create_subprocess_shell get_data getaddrinfo gethostbyname posix_spawnp "
        "find_spec safeimport addsitedir load_library"
    ).split()
)
# What evaluates texts, whoever's it is.
EVALUATE = set(
    (
        "query eval evaluate sympify parse_expr S lambdify Timer timeit repeat get_type_hints simplify assign "
        "re_evaluate vectorize_expr runctx runcall run main register get_field vformat run_docstring_examples "
        "run_string"
    ).split()
)
# The insides of objects that are Python's own: those that others have made up lead nowhere by themselves.
INNER = {"__builtins__", "__import__", "__build_class__", "__closure__", "__globals__", "__code__", "__spec__"}
INNER |= {
    name
    for kind in (object, type, type(sys), type(lambda: 0), type(len), type((i for i in ())), dict, str, BaseException)
    for name in dir(kind)
    if name.startswith("__")
}
# The insides of objects that everybody uses.
HARMLESS = set(
    (
        "__name__ __version__ __file__ __doc__ __class__ __init__ __new__ __len__ __iter__ __next__ __enter__ "
        "__exit__ __call__ __repr__ __str__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __add__ "
        "__radd__ __sub__ __rsub__ __mul__ __rmul__ __matmul__ __rmatmul__ __truediv__ __rtruediv__ "
        "__floordiv__ __mod__ __pow__ __rpow__ __neg__ __pos__ __abs__ __invert__ __and__ __or__ __xor__ "
        "__rand__ __ror__ __iadd__ __getitem__ __setitem__ __delitem__ __contains__ __bool__ __int__ __float__ "
        "__index__ __array__ __array_ufunc__ __array_function__ __array_interface__ __array_wrap__ "
        "__array_finalize__ __array_priority__ __tensor_flatten__ "
        "__tensor_unflatten__ __module__ __qualname__ __annotations__ __slots__ __members__ __post_init__ "
        "__init_subclass__ __set_name__ __get__ __set__ __getattr__ __setattr__ __delattr__ __all__ __path__ "
        "__package__ __traceback__ __cause__ __context__ __notes__ __dataclass_fields__ __fields__ __wrapped__ "
        "__mro__ __bases__ __format__ __round__ __divmod__ __copy__ __deepcopy__ __aenter__ __aexit__ "
        "__await__ __aiter__ __anext__ __sizeof__ __dlpack__ __dlpack_device__ __cuda_array_interface__ "
        "__match_args__ __missing__ __reversed__ __complex__ __bytes__ __signature__ "
        "__defaults__ __kwdefaults__ __text_signature__ __dir__ __config__ __git_version__ __date__ __author__ "
        "__html__ __html_format__ __geo_interface__ __dask_graph__ __dask_keys__ __dask_tokenize__ "
        "__class_getitem__ __orig_class__ __origin__ __args__ __parameters__ __instancecheck__ "
        "__subclasscheck__ __prepare__ __reduce__ __reduce_ex__ __getstate__ __setstate__ __getnewargs__ "
        "__dict__ __weakref__ __debug__ "
    ).split()
)
