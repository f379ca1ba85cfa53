# want: unsupported in export
# aspect: export
import torch


class Batch:
    def __init__(self, x, mask):
        self.x, self.mask = x, mask


class Net(torch.nn.Module):
    def forward(self, batch):
        return batch.x.sin() * batch.mask


batch = Batch(torch.ones(2, 4), torch.ones(4))
print(torch.compile(Net(), backend="eager")(batch).sum())
torch.export.export(Net(), (batch,), strict=False)
