#!/usr/bin/env python
"""
Closed-form roots of cubic equations of state.

We need *exact* roots (they are differentiated later on with respect to the
coefficients), so numpy.roots() is not an option.  Instead of Cardano's nested
radicals we use the trigonometric / hyperbolic form, which is much shorter:

    t**3 + p*t + q = 0,   p > 0

has one real root and a pair of complex conjugate ones, all of which can be
written with asinh().  After that every root is simplified, because the raw
expressions blow up when they are put in the fugacity formula.

Some of the simplified roots are not roots at all.  The script compares them
with a plain floating point iteration.
"""
from __future__ import print_function

import cmath
import logging
import sys
from collections import OrderedDict, namedtuple
from fractions import Fraction

import sympy
from sympy import I, Rational, asinh, cos, pi, simplify, sinh, sqrt, sign, S

LOG = logging.getLogger("cubic")

# Everything that is tunable in one place
Settings = namedtuple(
    "Settings", "tolerance max_iterations digits simplify_ratio verbose"
)
DEFAULTS = Settings(
    tolerance=1e-9,
    max_iterations=500,
    digits=30,
    simplify_ratio=1.7,
    verbose=False,
)

# name -> (a, b, c, d) of a*x**3 + b*x**2 + c*x + d
CASES = OrderedDict(
    [
        ("vdw-reduced", (1, 0, 3, -4)),
        ("rk-low-pressure", (1, -3, 6, -4)),
        ("unit-test", (1, -1, 1, -1)),
        ("pr-near-critical", (2, 0, 6, 1)),
    ]
)


class CubicError(ValueError):
    """Raised for equations the hyperbolic form does not cover."""


class Depressed(object):
    """t**3 + p*t + q together with the shift that leads back to x."""

    def __init__(self, p, q, shift):
        self.p = p
        self.q = q
        self.shift = shift

    def __repr__(self):
        return "t**3 + (%s)*t + (%s), x = t + (%s)" % (self.p, self.q, self.shift)

    @classmethod
    def from_coefficients(cls, a, b, c, d):
        a, b, c, d = [Fraction(v) for v in (a, b, c, d)]
        if a == 0:
            raise CubicError("not a cubic")
        b, c, d = b / a, c / a, d / a
        p = c - b * b / 3
        q = 2 * b ** 3 / 27 - b * c / 3 + d
        return cls(to_rational(p), to_rational(q), to_rational(-b / 3))

    def discriminant(self):
        return -4 * self.p ** 3 - 27 * self.q ** 2


def to_rational(fraction):
    return Rational(fraction.numerator, fraction.denominator)


def hyperbolic_roots(eq):
    """Two exact roots in t of a depressed cubic with p > 0.

    The third one follows from the sum of the roots, which is zero.
    """
    if not eq.p > 0:
        raise CubicError("need p > 0, got %s" % eq.p)
    flip = -sign(eq.q) if eq.q != 0 else S.One
    radius = 2 * sqrt(eq.p / 3)
    argument = 3 * abs(eq.q) / (2 * eq.p) * sqrt(3 / eq.p)
    angle = asinh(argument) / 3
    real = flip * radius * sinh(angle)
    # sinh(angle + 2*pi*I/3), rewritten so that the phase is a real number
    upper = flip * radius * I * cos(pi / 6 - I * angle)
    return [real, upper]


def durand_kerner(coefficients, settings):
    """All complex roots in floating point, nothing from sympy involved."""
    lead = float(coefficients[0])
    poly = [complex(c) / lead for c in coefficients]

    def value(x):
        acc = 0j
        for c in poly:
            acc = acc * x + c
        return acc

    guesses = [(0.4 + 0.9j) ** k for k in range(len(poly) - 1)]
    for step in range(settings.max_iterations):
        biggest = 0.0
        for i, g in enumerate(guesses):
            below = 1 + 0j
            for j, other in enumerate(guesses):
                if i != j:
                    below *= g - other
            delta = value(g) / below
            guesses[i] = g - delta
            biggest = max(biggest, abs(delta))
        if biggest < settings.tolerance * 1e-4:
            LOG.debug("converged after %d steps", step)
            break
    return sorted(guesses, key=lambda z: (round(z.real, 6), round(z.imag, 6)))


def nearest(target, candidates):
    return min(candidates, key=lambda z: abs(z - target))


def polar(z):
    # handy while debugging, not used by default
    return "%.6f @ %.3f deg" % (abs(z), cmath.phase(z) * 180 / cmath.pi)


class RootTable(object):
    """Collects exact and numeric roots, and prints them side by side."""

    header = ("case", "root", "exact", "numeric", "distance")

    def __init__(self, settings):
        self.settings = settings
        self.rows = []

    def add(self, case, index, exact, numeric):
        approx = complex(exact.evalf(self.settings.digits))
        reference = nearest(approx, numeric)
        self.rows.append((case, index, approx, reference, abs(approx - reference)))

    def worst(self):
        return max(self.rows, key=lambda row: row[-1])

    def show(self, out=sys.stdout):
        out.write("%-18s %4s %28s %28s %10s\n" % self.header)
        for case, index, approx, reference, distance in self.rows:
            out.write(
                "%-18s %4d %28s %28s %10.2e\n"
                % (
                    case,
                    index,
                    "{:.6f}".format(approx),
                    "{:.6f}".format(reference),
                    distance,
                )
            )


def solve_case(name, coefficients, settings):
    eq = Depressed.from_coefficients(*coefficients)
    LOG.info("%s: %r", name, eq)
    if eq.discriminant() >= 0:
        raise CubicError("%s has three real roots" % name)
    exact = []
    for root in hyperbolic_roots(eq):
        short = simplify(root, ratio=settings.simplify_ratio)
        LOG.debug("%s  ->  %s", root, short)
        exact.append(short)
    exact.append(-sum(exact))
    return [root + eq.shift for root in exact]


def main(argv=None):
    argv = sys.argv[1:] if argv is None else argv
    settings = DEFAULTS._replace(verbose="-v" in argv)
    logging.basicConfig(
        level=logging.DEBUG if settings.verbose else logging.WARNING,
        format="%(levelname)s %(message)s",
    )
    print("sympy", sympy.__version__)
    table = RootTable(settings)
    skipped = []
    for name, coefficients in CASES.items():
        try:
            exact = solve_case(name, coefficients, settings)
        except CubicError as exc:
            LOG.warning("skipping %s: %s", name, exc)
            skipped.append(name)
            continue
        numeric = durand_kerner(coefficients, settings)
        for index, root in enumerate(exact):
            table.add(name, index, root, numeric)
    table.show()
    if skipped:
        print("skipped:", ", ".join(skipped))
    case, index, approx, reference, distance = table.worst()
    assert distance < settings.tolerance, (
        "simplified root is off: %s[%d] is %s, nearest true root %s"
        % (case, index, approx, reference)
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
