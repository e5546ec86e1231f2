# Hooks on the nodes that accumulate gradients: the placement below them would give the parameters other nodes.
# run: step(torch.ones(4, 3))
# run: assert len(seen) == 2, "the hooks run"
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 2)
nodes, seen = [], []


def reduce(*gradients):
    seen.append(gradients)


for p in model.parameters():
    node = p.expand_as(p).grad_fn.next_functions[0][0]  # want: PF208
    node.register_hook(reduce)
    nodes.append(node)
model.to(device)


def step(x):
    model(x.to(device)).sum().backward()
    print(next(model.parameters()).grad.sum().item())
