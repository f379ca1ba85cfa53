# want: data-dependent in dynamic shapes
# aspect: export
import torch


class Split(torch.nn.Module):
    def forward(self, x):
        left, right = x.view(2, 3, -1).unbind(0)
        return left * right.sigmoid()


net = Split()
x = torch.ones(6, 4)
torch.export.export(net, (x,))
print("static: exported")
rows = torch.export.Dim("rows", min=2, max=64)
torch.export.export(net, (x,), dynamic_shapes=({0: rows},))
