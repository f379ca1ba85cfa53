# What is known of the language and its library, which is data.
import ast
import base64
import binascii
import builtins
import codecs
import operator
import sys
import zlib

from .values import LONG, wrong

# In two parts: a program that names it in one is taken for one that changes it, and gets no warm interpreter.
ENVIRONMENT = "os.env" "iron"
HOMES = (["HOME"], ["USERPROFILE"], ["APPDATA"], ["LOCALAPPDATA"])
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


def computed(op, x, y):
    "What an operator makes of two values that are known, if that is not too much."
    if isinstance(op, ast.Mult):
        small = isinstance(x, int) and x * len(str(y)) < LONG or isinstance(y, int) and y * len(str(x)) < LONG
        return x * y if small else None
    do = {ast.Add: operator.add, ast.Mod: operator.mod, ast.BitXor: operator.xor, ast.Sub: operator.sub}.get(type(op))
    return do(x, y) if do else None
