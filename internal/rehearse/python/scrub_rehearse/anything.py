# What stands in for a value that nobody has.


class Anything(object):
    "Takes part in everything and leads nowhere."

    __slots__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __setattr__(self, name, value):
        pass

    def __call__(self, *args, **names):
        return self

    def __getitem__(self, at):
        return self

    def __setitem__(self, at, value):
        pass

    def __iter__(self):
        return iter((self,))

    def __contains__(self, one):
        return True

    def __len__(self):
        return 1

    def __bool__(self):
        return True

    def __int__(self):
        return 1

    def __float__(self):
        return 1.0

    __index__ = __int__

    def __str__(self):
        return "anything"

    __repr__ = __str__

    def __fspath__(self):
        return "anything"

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        return True

    def __await__(self):
        return iter(())

    def __hash__(self):
        return 1


def same(self, *others):
    return self


def yes(self, other):
    return True


for two in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"):
    for form in ("__%s__", "__r%s__", "__i%s__"):
        setattr(Anything, form % two, same)
for one in ("neg", "pos", "abs", "invert"):
    setattr(Anything, "__%s__" % one, same)
for two in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Anything, "__%s__" % two, yes)
ANYTHING = Anything()
