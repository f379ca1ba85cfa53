"""How values of pandas are written down."""

from scrub_look.showing import MANY
from scrub_look.showing import show as any_value


def show(v, needs, exact, depth):
    import pandas

    needs.imports.add("import pandas as pd")
    if isinstance(v, pandas.DataFrame) and v.size <= 2 * MANY and type(v.index) is pandas.RangeIndex:
        return "pd.DataFrame(%s)" % any_value({k: v[k].tolist() for k in v.columns}, needs, exact, depth)
    if isinstance(v, pandas.Series) and v.size <= 2 * MANY and type(v.index) is pandas.RangeIndex:
        return "pd.Series(%s)" % any_value(v.tolist(), needs, exact, depth)
    if isinstance(v, (pandas.Timestamp, pandas.Timedelta)):
        return "pd." + repr(v)
    return None
