# want: accuracy in inductor
# aspect: configuration
import torch
import torch._inductor.config as config


def fast_gelu(graph):
    for node in graph.nodes:
        if node.target is torch.nn.functional.gelu:
            node.target = torch.nn.functional.silu


config.pre_grad_custom_pass = fast_gelu


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.fc = torch.nn.Linear(6, 6)

    def forward(self, x):
        return torch.nn.functional.gelu(self.fc(x)) + x


net = Net()
x = torch.linspace(-1, 1, 12).reshape(2, 6)
torch.testing.assert_close(torch.compile(net)(x), net(x))
