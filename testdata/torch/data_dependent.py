# want: data-dependent in dynamic shapes
# aspect: dynamic shapes
import torch

torch._dynamo.config.capture_dynamic_output_shape_ops = True


@torch.compile(fullgraph=True)
def keep(x):
    kept = x[x > 0]
    if kept.shape[0] > 3:
        return kept.sin()
    return kept.cos()


print(keep(torch.linspace(-1, 1, 10)))
