"""Generate the right hand sides of a small reaction network as float-only
expressions.

Every quantity is a `Block` which knows its expression, its unit and which
parameters it introduced; blocks are composed and the result is then handed to
an exporter that replaces all exact integers by floats, since the target
language would do integer division otherwise.
"""

import logging
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Callable, Dict, List, Optional

import sympy as sp

logger = logging.getLogger("ratelaw")


class Law(Enum):
    LINEAR = "linear"
    ARRHENIUS = "arrhenius"
    DRIVEN = "driven"


@dataclass
class Param:
    name: str
    value: float
    unit: str = "1"
    note: str = ""

    @property
    def symbol(self) -> sp.Symbol:
        return sp.Symbol(self.name, real=True)


@dataclass
class Namespace:
    params: Dict[str, Param] = field(default_factory=dict)

    def add(self, name, value, unit="1", note=""):
        if name in self.params:
            raise KeyError(f"parameter {name} was already declared")
        self.params[name] = Param(name, value, unit, note)
        return self.params[name].symbol

    def __getitem__(self, name):
        return self.params[name].symbol

    def values(self):
        return {p.symbol: p.value for p in self.params.values()}


class Block:
    """An expression under construction."""

    def __init__(self, expr, label, parents=()):
        self.expr = sp.sympify(expr)
        self.label = label
        self.parents = list(parents)

    def then(self, func: Callable, label: Optional[str] = None) -> "Block":
        name = label or getattr(func, "__name__", "step")
        return Block(func(self.expr), f"{name}({self.label})", [self])

    def scaled(self, factor) -> "Block":
        return Block(factor * self.expr, f"{factor}*{self.label}", [self])

    def over(self, other) -> "Block":
        divisor = other.expr if isinstance(other, Block) else other
        return Block(self.expr / divisor, f"{self.label}/...", [self])

    def __add__(self, other: "Block") -> "Block":
        return Block(self.expr + other.expr, f"{self.label}+{other.label}", [self, other])

    def depth(self) -> int:
        return 1 + max((p.depth() for p in self.parents), default=0)

    def __repr__(self):
        return f"<Block {self.label}: {self.expr}>"


class Limiter:
    """Lets the smaller of supply and demand through."""

    def __init__(self, supply: sp.Symbol, demand: sp.Symbol):
        self.supply = supply
        self.demand = demand

    def block(self) -> Block:
        branches = [
            (self.supply, self.demand > self.supply),
            (self.demand, True),
        ]
        return Block(sp.Piecewise(*branches), "limit")


class Reaction:
    registry: Dict[str, "Reaction"] = {}

    def __init__(self, name: str, law: Law, ns: Namespace):
        self.name = name
        self.law = law
        self.ns = ns
        Reaction.registry[name] = self

    def build(self) -> Block:
        return getattr(self, "_build_" + self.law.value)()

    def _build_linear(self) -> Block:
        k = self.ns["k_lin"]
        return Block(k * self.ns["supply"], self.name).scaled(2)

    def _build_arrhenius(self) -> Block:
        energy = Block(-self.ns["E_act"], "E")
        return energy.over(self.ns["T"]).then(sp.exp).scaled(self.ns["k_lin"])

    def _build_driven(self) -> Block:
        limited = Limiter(self.ns["supply"], self.ns["demand"]).block()
        force = limited.over(self.ns["T"])
        return force.then(sp.sinh, "drive").then(sp.exp, "gain")


class FloatExporter:
    """Rewrites blocks so that no exact integer is left."""

    def __init__(self, keep=(0,)):
        self.keep = set(keep)
        self.stats = defaultdict(int)

    def integers(self, expr) -> List[sp.Integer]:
        found = expr.atoms(sp.Integer)
        return sorted((i for i in found if int(i) not in self.keep), key=int)

    def table(self, expr):
        # -1 sits in every quotient, so the casting has to know about 1 as well
        wanted = {abs(int(i)) for i in self.integers(expr)}
        return {sp.Integer(i): sp.Float(i) for i in sorted(wanted)}

    def convert(self, block: Block) -> Block:
        mapping = self.table(block.expr)
        self.stats["replaced"] += len(mapping)
        logger.debug("%s: %s", block.label, mapping)
        if not mapping:
            return block
        return block.then(lambda e: e.subs(mapping), "float")


class Emitter:
    def __init__(self, indent=4):
        self.indent = " " * indent
        self.lines: List[str] = []

    @contextmanager
    def function(self, name, args):
        self.lines.append(f"def {name}({', '.join(args)}):")
        yield self
        self.lines.append("")

    def ret(self, block: Block):
        self.lines.append(f"{self.indent}return {sp.sstr(block.expr)}")

    def text(self):
        return "\n".join(self.lines)


def declare() -> Namespace:
    ns = Namespace()
    ns.add("supply", 0.75, "mol/s")
    ns.add("demand", 0.5, "mol/s", "taken from the controller")
    ns.add("T", 1.25, "1", "scaled temperature")
    ns.add("k_lin", 0.1, "1/s")
    ns.add("E_act", 3.5)
    return ns


def selfcheck(block: Block, ns: Namespace) -> float:
    value = block.expr.evalf(subs=ns.values())
    if not value.is_real:
        raise ArithmeticError(f"{block.label} is not real")
    return float(value)


def generate(ns: Namespace) -> str:
    reactions = [
        Reaction("leak", Law.LINEAR, ns),
        Reaction("decay", Law.ARRHENIUS, ns),
        Reaction("pump", Law.DRIVEN, ns),
    ]
    exporter = FloatExporter()
    emitter = Emitter()
    args = sorted(ns.params)
    for reaction in reactions:
        block = reaction.build()
        logger.info("%s has depth %d", reaction.name, block.depth())
        ready = exporter.convert(block)
        with emitter.function(reaction.name, args) as out:
            out.ret(ready)
        logger.info("%s = %g", reaction.name, selfcheck(ready, ns))
    logger.info("stats: %s", dict(exporter.stats))
    return emitter.text()


def main():
    logging.basicConfig(level=logging.INFO, format="[%(levelname).1s] %(message)s")
    print(generate(declare()))


if __name__ == "__main__":
    main()
