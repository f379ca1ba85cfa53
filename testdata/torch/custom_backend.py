# want: backend in custom backend
import torch


def counting(gm, example_inputs):
    ops = [n.target.__name__ for n in gm.graph.nodes if n.op == "call_function"]
    raise ValueError("no kernel for %s" % ops[0])


net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
net.compile(backend=counting)
net(torch.ones(2, 4))
