# Notes what tensors compiled functions are called with, and says how each call differs from the one before it.
import sys

torch = real = None


def say(text):
    print("scrub: " + text, file=sys.stderr, flush=True)


def look(x):
    return {
        "shape": tuple(x.shape),
        "stride": tuple(x.stride()) if x.layout == torch.strided else None,
        "dtype": str(x.dtype),
        "device": str(x.device),
        "requires_grad": x.requires_grad,
    }


def modes():
    """What is set for everything, and guarded like an argument."""
    return {
        "gradients": torch.is_grad_enabled(),
        "inference": torch.is_inference_mode_enabled(),
        "autocast": torch.is_autocast_enabled(),
        "dtype": str(torch.get_default_dtype()),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "threads": torch.get_num_threads(),
    }


def inputs(args, kwargs):
    found = {"what is set globally": modes()}
    for name, value in list(enumerate(args)) + list(kwargs.items()):
        for at, leaf in enumerate(torch.utils._pytree.tree_leaves(value)):
            what = "argument %s" % name + (", part %d" % at if at else "")
            found[what] = look(leaf) if isinstance(leaf, torch.Tensor) else {"value": repr(leaf)[:60]}
    return found


def noted(called, name):
    calls = []

    def call(*args, **kwargs):
        now = inputs(args, kwargs)
        if calls:
            for what in sorted(set(now) | set(calls[-1])):
                old, new = calls[-1].get(what, {}), now.get(what, {})
                for key in sorted(set(old) | set(new)):
                    if old.get(key) != new.get(key):
                        say(
                            "call %d of %s: %s has %s %s, before that %s"
                            % (len(calls) + 1, name, what, key, new.get(key), old.get(key))
                        )
        else:
            for what, has in now.items():
                if what == "what is set globally":
                    continue
                say("%s: %s has %s" % (name, what, ", ".join("%s %s" % pair for pair in has.items())))
        calls.append(now)
        return called(*args, **kwargs)

    return call


def compile(model=None, **kwargs):
    if model is None:
        return lambda f: compile(f, **kwargs)
    compiled = real(model, **kwargs)
    name = getattr(model, "__name__", type(model).__name__)
    if isinstance(model, torch.nn.Module):
        compiled.forward = noted(compiled.forward, name)
        return compiled
    return noted(compiled, name)


def begin(module):
    global torch, real
    torch, real = module, module.compile
    torch.compile = compile


after("torch", begin)
