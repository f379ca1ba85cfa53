"""How values of sympy are written down."""

from scrub_look.showing import cannot, limits


def show(v, needs, exact, depth):
    import sympy

    if not isinstance(v, (sympy.Basic, sympy.MatrixBase)):
        return None
    text = sympy.srepr(v)
    if len(text) > 8 * limits.longest:
        cannot()
    try:
        if eval(text, dict(vars(sympy))) != v:
            cannot()
    except Exception:
        cannot()
    needs.imports.add("from sympy import *")
    return text
