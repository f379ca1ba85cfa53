"""How users of sympy show a value."""

def views(v):
    import sympy

    return {
        "pretty": lambda: sympy.pretty(v, use_unicode=True, wrap_line=False),
        "ascii": lambda: sympy.pretty(v, use_unicode=False, wrap_line=False),
        "latex": lambda: sympy.latex(v),
        "srepr": lambda: sympy.srepr(v),
    }
