# want: graph-break in dynamo
# aspect: export
import binascii

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 4)

    def forward(self, x):
        seed = binascii.crc32(b"layer") % 7
        return self.fc(x) * seed


net = Net()
x = torch.ones(2, 4)
torch.export.export(net, (x,), strict=False)
print("non-strict: exported")
torch.export.export(net, (x,), strict=True)
