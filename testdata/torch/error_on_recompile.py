# want: recompile in dynamo
# aspect: configuration
import torch

torch._dynamo.config.error_on_recompile = True


class Step(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0.5

    def forward(self, x):
        self.count += 1
        return x * self.count


net = Step()
net.compile(backend="eager", dynamic=False)
for _ in range(3):
    print(net(torch.ones(2)))
