"""How values of numpy are written down."""

from scrub_look.showing import cannot, MANY
from scrub_look.showing import show as any_value


def show(v, needs, exact, depth):
    import numpy

    if isinstance(v, numpy.ndarray) and type(v) is numpy.ndarray and v.dtype.names is None:
        needs.imports.add("import numpy as np")
        kind = (
            ""
            if v.dtype in (numpy.float64,)
            else ", dtype=%s" % (repr(v.dtype.name) if v.dtype.kind not in "US" else repr(v.dtype.str))
        )
        if (exact or v.dtype.kind not in "fiub") and v.size <= MANY:
            if v.dtype == numpy.int64 or v.dtype == bool:
                kind = ""
            return "np.array(%s%s)" % (any_value(v.tolist(), needs, exact, depth), kind)
        if v.dtype.kind not in "fiub":
            cannot()
        return "np.ones(%s%s)" % (v.shape[0] if v.ndim == 1 else tuple(v.shape), kind)
    if isinstance(v, numpy.dtype):
        needs.imports.add("import numpy as np")
        return "np.dtype(%r)" % v.str
    if isinstance(v, numpy.generic):
        needs.imports.add("import numpy as np")
        return "np.%s(%s)" % (type(v).__name__, any_value(v.item(), needs, exact, depth))
    return None
