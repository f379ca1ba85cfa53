# want: accuracy in inductor
# aspect: context manager
import torch
from torch._inductor.custom_graph_pass import CustomInferenceAwareGraphPass

aten = torch.ops.aten


class Prune(CustomInferenceAwareGraphPass):
    """Drops what only training needs."""

    def __call__(self, graph, is_inference):
        for node in graph.find_nodes(op="call_function", target=aten.abs.default):
            if is_inference:
                node.replace_all_uses_with(node.args[0])
                graph.erase_node(node)

    def uuid(self):
        return None


torch._inductor.config.post_grad_custom_post_pass = Prune()


def f(x):
    return (x - 1).abs().exp()


x = torch.linspace(0, 2, 8, requires_grad=True)
compiled = torch.compile(f)
torch.testing.assert_close(compiled(x), f(x))
print("with gradients: passed")
with torch.no_grad():
    torch.testing.assert_close(compiled(x), f(x))
