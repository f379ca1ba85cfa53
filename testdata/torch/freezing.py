# want: accuracy in inductor
# aspect: configuration
import torch

torch._inductor.config.freezing = True

torch.manual_seed(0)
net = torch.nn.Linear(8, 8).eval()
compiled = torch.compile(net)
x = torch.ones(2, 8)
with torch.no_grad():
    torch.testing.assert_close(compiled(x), net(x))
    print("first: passed")
    net.weight.mul_(2)
    torch.testing.assert_close(compiled(x), net(x))
