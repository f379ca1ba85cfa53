# What the branches of a program that is made to take all of them ask.
import inspect
import itertools
import sys

from .anything import ANYTHING

OFTEN = 25  # times that one function is gone through
MANY = 3  # things of a loop


class Turns:
    def __init__(self):
        self.times, self.functions, self.holding = {}, {}, []

    def sides(self, test):
        "Both sides of a condition, the one that holds last, so that what follows finds what it expects."
        return (False, True) if test else (True, False)

    def some(self, things):
        try:
            found = list(itertools.islice(iter(things), MANY))
        except Exception:
            found = []
        return found or [ANYTHING]

    def either(self, test, one, other):
        first, second = (other, one) if test else (one, other)
        self.tried(first)
        return second()

    def each(self, both, *parts):
        given = None
        decided = False
        for part in parts:
            if decided:
                self.tried(part)
                continue
            given = part()
            decided = bool(given) != both
        return given

    def yes(self, test):
        return True

    def second(self, one, other):
        return other

    def tried(self, part):
        try:
            part()
        except Exception:
            pass

    def failure(self):
        return Exception("anything")

    def enter(self, make):
        return Entered(make)

    def entered(self, key):
        "Whether a function has been gone through often enough."
        self.times[key] = self.times.get(key, 0) + 1
        return self.times[key] > OFTEN

    def kept(self, key):
        def keep(function):
            self.functions.setdefault(key, function)
            return function

        return keep

    def rest(self, names):
        "Calls the functions that nobody has called, until there are none: they may define more."
        for _ in range(8):
            left = [k for k in self.functions if k not in self.times]
            if not left:
                return
            for key in left:
                self.times.setdefault(key, 0)
                try:
                    self.alone(self.functions[key], names)
                except BaseException as e:
                    if isinstance(e, (KeyboardInterrupt, MemoryError)):
                        raise

    def alone(self, function, names):
        given = list(required(function))
        owner = getattr(function, "__qualname__", "").rpartition(".")[0]
        made = names.get(owner)
        if isinstance(made, type) and given:
            given[0] = self.instance(made)
        result = function(*given)
        if inspect.iscoroutine(result):
            self.driven(result)
        elif inspect.isgenerator(result):
            for _ in zip(range(MANY), result):
                pass

    def driven(self, coroutine):
        for _ in range(MANY * 10):
            try:
                coroutine.send(None)
            except StopIteration:
                return

    def instance(self, kind):
        for make in (lambda: kind(), lambda: kind(*required(kind.__init__)[1:]), lambda: object.__new__(kind)):
            try:
                return make()
            except Exception:
                pass
        return ANYTHING


class Entered:
    "A with statement whose body is gone through whether it can be entered or not."

    def __init__(self, make):
        self.make, self.inner = make, None

    def __enter__(self):
        try:
            inner = self.make()
            given = type(inner).__enter__(inner)
            self.inner = inner
            return given
        except Exception:
            return ANYTHING

    def __exit__(self, *failure):
        if self.inner is not None:
            try:
                type(self.inner).__exit__(self.inner, *failure)
            except Exception:
                pass
        return failure[0] is None or issubclass(failure[0], Exception)

    async def __aenter__(self):
        try:
            self.inner = self.make()
            return await type(self.inner).__aenter__(self.inner)
        except Exception:
            return ANYTHING

    async def __aexit__(self, *failure):
        try:
            if self.inner is not None:
                await type(self.inner).__aexit__(self.inner, *failure)
        except Exception:
            pass
        return True


def required(function):
    "What stands in for the arguments that a function cannot do without."
    code = getattr(function, "__code__", None)
    if code is None:
        return []
    defaults = function.__defaults__ or ()
    return [ANYTHING] * (code.co_argcount - len(defaults))


def raised():
    "What a program goes on after."
    return (Exception, SystemExit, KeyboardInterrupt) + tuple(
        e for e in (getattr(sys.modules.get("asyncio"), "CancelledError", None),) if e
    )
