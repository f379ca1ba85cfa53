# want: backend in aotinductor
# aspect: export
import tempfile

import torch
from torch._inductor.codegen.cpp_wrapper_cpu import CppWrapperCpu


def codegen_device(self, device):
    return f"torch_device_{device.type}, 0"


CppWrapperCpu.codegen_device = codegen_device


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return torch.relu(self.fc(x)) + x.sin()


net, x = Net().eval(), torch.ones(2, 8)
with torch.no_grad():
    torch.testing.assert_close(torch.compile(net)(x), net(x))
    print("compiled: passed")
    program = torch.export.export(net, (x,))
    with tempfile.TemporaryDirectory() as folder:
        path = torch._inductor.aoti_compile_and_package(program, package_path=folder + "/net.pt2")
        torch.testing.assert_close(torch._inductor.aoti_load_package(path)(x), net(x))
