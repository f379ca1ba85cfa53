"""How values of torch are written down."""

from scrub_look.showing import cannot, MANY
from scrub_look.showing import show as any_value


def show(v, needs, exact, depth):
    import torch

    needs.imports.add("import torch")
    if isinstance(v, torch.Size):
        return any_value(tuple(v), needs, exact, depth)
    if isinstance(v, torch.dtype):
        return repr(v)
    if isinstance(v, torch.device):
        return "torch.device(%r)" % str(v)
    if isinstance(v, torch.Tensor):
        return show_tensor(torch, v, exact)
    if isinstance(v, torch.nn.Module) and type(v).__module__.startswith("torch.nn.modules"):
        return show_module(torch, v, needs, exact, depth)
    return None


def show_tensor(torch, v, exact):
    if type(v) not in (torch.Tensor, torch.nn.Parameter) or v.layout is not torch.strided:
        cannot()
    kind = "" if v.dtype is torch.float32 else ", dtype=%r" % v.dtype
    extra = "" if v.device.type == "cpu" else ", device=%r" % v.device.type
    if v.requires_grad and v.is_leaf and type(v) is torch.Tensor:
        extra += ", requires_grad=True"
    if exact and v.numel() <= MANY and not v.is_complex():
        plain = v.dtype in (torch.int64, torch.bool)  # as a list of them says already
        return "torch.tensor(%r%s)" % (v.detach().tolist(), extra if plain else kind + extra)
    text = "torch.ones(%s%s)" % (", ".join(map(str, v.shape)) or "()", kind + extra)
    return "torch.nn.Parameter(%s)" % text if type(v) is torch.nn.Parameter else text


def show_module(torch, v, needs, exact, depth):
    name = "torch.nn." + type(v).__name__
    if type(v).__name__ in ("Sequential", "ModuleList"):
        inner = ", ".join(show(c, needs, exact, depth) or cannot() for c in v)
        return name + ("(%s)" if name.endswith("Sequential") else "([%s])") % inner
    text = repr(v)
    if "\n" in text:
        cannot()
    p = next(v.parameters(), None)
    return "torch.nn." + text + ("" if p is None or p.dtype is torch.float32 else ".to(%r)" % p.dtype)
