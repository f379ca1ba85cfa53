# want: accuracy in inductor
# aspect: configuration
import torch
import torch._inductor.config as config

aten = torch.ops.aten


def fold(graph):
    """relu(relu(x)) is relu(x); but so is not relu(neg(relu(x)))."""
    for node in graph.find_nodes(op="call_function", target=aten.relu.default):
        inner = node.args[0]
        if inner.target in (aten.relu.default, aten.neg.default):
            node.replace_all_uses_with(inner)
            graph.erase_node(node)


config.joint_custom_pre_pass = fold


def f(x):
    return torch.relu(-torch.relu(x)) + x.cos()


x = torch.linspace(-2, 2, 8)
torch.testing.assert_close(torch.compile(f)(x), f(x))
