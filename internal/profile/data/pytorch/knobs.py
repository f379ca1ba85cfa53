# Turns what torch.compile is asked for, in all its spellings, without a
# change to the program. It waits until the program itself imports torch, so
# that what the program sets before that still counts. What to turn is in
# TURNED, which stands above this text.
import sys

BACKEND, MODE, DYNAMIC, DTYPE = (TURNED.get(k) for k in ("backend", "mode", "dynamic", "dtype"))


def turned(kwargs):
    kwargs = dict(kwargs)
    if BACKEND:
        kwargs["backend"] = BACKEND
    if MODE:
        kwargs["mode"] = MODE
        kwargs.pop("options", None)
    if kwargs.get("backend", "inductor") != "inductor":
        kwargs.pop("mode", None)
        kwargs.pop("options", None)
    if DYNAMIC:
        kwargs["dynamic"] = {"None": None, "True": True, "False": False}[DYNAMIC]
    return kwargs


inside = []  # torch.compile calls torch._dynamo.optimize, with what is turned already


def turn(torch):
    if DTYPE:
        torch.set_default_dtype(getattr(torch, DTYPE))
    if hasattr(torch, "compile") and (BACKEND or MODE or DYNAMIC):
        compile_as_is = torch.compile

        def compile(model=None, **kwargs):
            inside.append(True)
            try:
                return compile_as_is(model, **turned(kwargs))
            finally:
                inside.pop()

        torch.compile = compile
    if "TORCH_BISECT_MAX" in TURNED:
        bisect()


def turn_dynamo(dynamo):
    if not (BACKEND or DYNAMIC):
        return
    for name in ("optimize", "optimize_assert"):
        as_is = getattr(dynamo, name, None)
        if as_is is None:
            continue

        def optimize(backend="inductor", *args, _as_is=as_is, **kwargs):
            if inside:
                return _as_is(backend, *args, **kwargs)
            return _as_is(BACKEND or backend, *args, **turned_dynamic(kwargs))

        setattr(dynamo, name, optimize)


def turn_inductor(config):
    if "casts" in TURNED and hasattr(config, "emulate_precision_casts"):
        config.emulate_precision_casts = True
    if "fusion" in TURNED and hasattr(config, "max_fusion_size"):
        config.max_fusion_size, config.epilogue_fusion = 1, False


def turn_export(config):
    if "tracer" in TURNED and hasattr(config, "use_new_tracer_experimental"):
        config.use_new_tracer_experimental = True


def turned_dynamic(kwargs):
    if DYNAMIC:
        kwargs = dict(kwargs, dynamic={"None": None, "True": True, "False": False}[DYNAMIC])
    return kwargs


def bisect():
    from torch._inductor import compiler_bisector

    # It reads its variables when it is imported, which may have been before.
    compiler_bisector.get_env_val = TURNED.get
    CompilerBisector = compiler_bisector.CompilerBisector
    CompilerBisector.bisection_enabled = True
    as_is = CompilerBisector.disable_subsystem
    seen = [-1]

    def disable_subsystem(backend, subsystem, debug_info=None):
        off = as_is(backend, subsystem, debug_info)
        if backend == TURNED["TORCH_BISECT_BACKEND"] and subsystem == TURNED["TORCH_BISECT_SUBSYSTEM"]:
            seen[0] += 1
            if seen[0] == int(TURNED["TORCH_BISECT_MAX"]) and debug_info is not None:
                print("scrub: part %d: %s" % (seen[0], " ".join(str(debug_info()).split())), file=sys.stderr)
        return off

    CompilerBisector.disable_subsystem = staticmethod(disable_subsystem)


after("torch", turn)
after("torch._dynamo", turn_dynamo)
after("torch._inductor.config", turn_inductor)
after("torch._export.config", turn_export)
