# Calls that give something by its name.
from .known import ENVIRONMENT, HOMES
from .values import Const, Ref, texts, union

WRAPPERS = (
    "functools.partial",
    "functools.wraps",
    "staticmethod",
    "classmethod",
    "property",
    "functools.lru_cache",
    "atexit.register",
    "weakref.finalize",
)
IMPORTERS = (
    "__import__",
    "importlib.import_module",
    "importlib.__import__",
    "pkgutil.resolve_name",
    "pydoc.locate",
)


class ByName:
    "Calls that give something by its name. None is for those that do not."

    def special(self, n, f, args, names):
        name = f.name
        do = self.named().get(name)
        if do is not None:
            given = do(n, name, args, names)
            if given is not None:
                return given
        for ending, do in self.endings():
            if args and name.endswith(ending):
                return do(n, name, args, names)
        for beginning, do in self.beginnings():
            if args and name.startswith(beginning):
                return do(n, name, args, names)
        return None

    def named(self):
        "What to do about calls of that name."
        table = {
            "getattr": self.get_attribute,
            "setattr": self.set_attribute,
            "pathlib.Path.home": self.folder,
            "pathlib.Path.cwd": self.folder,
            "os.getenv": self.variable,
            ENVIRONMENT + ".get": self.variable,
            "vars": self.names_of,
            "dir": self.names_of,
            "globals": self.names_of,
            "locals": self.names_of,
            "sys.modules.get": self.module_named,
            "sys.modules.__getitem__": self.module_named,
            "operator.attrgetter": self.getter,
            "operator.methodcaller": self.getter,
            "operator.itemgetter": self.getter,
        }
        for all, do in (
            (IMPORTERS, self.imported),
            (WRAPPERS, self.wrapped),
            (("map", "filter", "functools.reduce", "itertools.starmap"), self.mapped),
            (("iter", "list", "tuple", "next", "copy.copy", "copy.deepcopy"), self.passed_on),
            (("threading.Thread", "multiprocessing.Process", "threading.Timer"), self.started),
        ):
            table.update(dict.fromkeys(all, do))
        return table

    def endings(self):
        of_dict = (".__dict__.get", ".__dict__.__getitem__", "globals.get", "globals.__getitem__")
        return ((of_dict, self.member_named), (".__getattribute__", self.attribute_named))

    def beginnings(self):
        return (
            (("operator.attrgetter:", "operator.methodcaller:"), self.got_attribute),
            ("operator.itemgetter:", self.got_item),
        )

    def get_attribute(self, n, name, args, names):
        if len(args) < 2:
            return None
        found = []
        for k in args[1]:
            if isinstance(k, Const) and isinstance(k.value, str):
                found = union(found, self.attribute(n, args[0], k.value))
        if not args[1]:
            for v in args[0]:
                if isinstance(v, Ref):
                    self.use(n, "getattr", ["?" + v.name])
        return union(found, args[2] if len(args) > 2 else [])

    def set_attribute(self, n, name, args, names):
        if len(args) < 3:
            return None
        for k in texts(args[1])[:1]:
            self.attrs[k] = union(self.attrs.get(k, []), args[2])
            for v in args[0]:
                if isinstance(v, Ref):
                    self.use(n, v.name + "." + k + ".__set__", texts(args[2]))
        return []

    def imported(self, n, name, args, names):
        found, values = [], (args[0] if args else names.get("name", []))
        if not values or not all(isinstance(k, Const) and isinstance(k.value, str) for k in values):
            self.use(n, name, ["?"])
        for k in values:
            if isinstance(k, Const) and isinstance(k.value, str):
                r = Ref(k.value.replace(":", ".") if name != "__import__" else k.value.split(".")[0])
                self.imports.add(k.value.replace(":", ".").split(".")[0])
                self.use(n, r.name)
                found.append(r)
        return found or None

    def folder(self, n, name, args, names):
        return [Ref("pathlib.Path", ["~" if name.endswith("home") else "."], True)]

    def variable(self, n, name, args, names):
        return [Const("~")] if args and texts(args[0])[:1] in HOMES else None

    def names_of(self, n, name, args, names):
        if name in ("vars", "dir") and args:
            return [Ref(v.name + ".__dict__") for v in args[0] if isinstance(v, Ref)]
        return [Ref("globals")] if name != "dir" else None

    def module_named(self, n, name, args, names):
        return self.item(n, [Ref("sys.modules")], args[0]) if args else None

    def member_named(self, n, name, args, names):
        return self.item(n, [Ref(name.rsplit(".", 1)[0])], args[0])

    def attribute_named(self, n, name, args, names):
        of = args[0] if len(args) > 1 else [Ref(name[: -len(".__getattribute__")])]
        return self.attribute(n, of, (texts(args[-1]) or ["?"])[0])

    def wrapped(self, n, name, args, names):
        if not args:
            return None
        for v in args[0]:
            if isinstance(v, Ref):
                self.call(n, v, args[1:], names)
        return args[0]

    def mapped(self, n, name, args, names):
        if len(args) < 2:
            return None
        given = self.items(args[1]) or [v for v in args[1] if isinstance(v, Const)]
        results = self.called(n, args[0], [given], {})
        for v in args[1]:  # a known list gives a known list
            if name == "map" and isinstance(v, Const) and isinstance(v.value, (list, tuple, str, bytes)):
                whole = [[Const(x)] for x in v.value] if isinstance(v.value, (str, bytes)) else v.value
                if self.affords(len(whole)):
                    return [Const([self.called(n, args[0], [item], {}) for item in whole])]
        return [Const([results])]

    def getter(self, n, name, args, names):
        return [Ref(name + ":" + (texts(args[0]) or [""])[0])] if args else None

    def got_attribute(self, n, name, args, names):
        found = args[0]
        for part in name.split(":", 1)[1].split("."):
            found = self.attribute(n, found, part)
        return self.called(n, found, [], {}) if name.startswith("operator.methodcaller") else found

    def got_item(self, n, name, args, names):
        return self.item(n, args[0], [Const(name.split(":", 1)[1])])

    def passed_on(self, n, name, args, names):
        if args and any(isinstance(v, Ref) for v in args[0]):
            return args[0]
        if name == "next" and args:
            return self.items(args[0])
        return args[0] if name == "iter" and args else None

    def started(self, n, name, args, names):
        if "target" in names or len(args) > 1:
            rest = names.get("args", [])
            given = [v for c in rest if isinstance(c, Const) and isinstance(c.value, (list, tuple)) for v in c.value]
            self.called(n, names["target"] if "target" in names else args[1], given, {})
        return None
