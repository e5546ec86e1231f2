# The nodes are read after the placement, the module is never placed on a GPU, or the hooks are those of parameters and modules, which stay.
import torch

device = torch.device("cuda")


def reduce(*gradients):
    print(len(gradients))


placed = torch.nn.Linear(3, 2).to(device)
nodes = []
for p in placed.parameters():
    nodes.append(p.expand_as(p).grad_fn.next_functions[0][0])
    nodes[-1].register_hook(reduce)

host = torch.nn.Linear(3, 2)
for p in host.parameters():
    nodes.append(p.expand_as(p).grad_fn.next_functions[0][0])
host.to("cpu")

other = torch.nn.Linear(3, 2)
for p in other.parameters():
    p.register_hook(reduce)
    p.register_post_accumulate_grad_hook(reduce)
other.register_full_backward_hook(reduce)
other.to(device)
