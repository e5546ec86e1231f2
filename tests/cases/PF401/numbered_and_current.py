# options: unsafe
"""One goes to a GPU by its number, the other to the current one: the number stays."""
import torch


def places(x, y, gpu=0):
    return torch.relu(x).cuda(gpu), torch.relu(y).cuda()  # want: PF401 display  # want: PF401 report


# machines: 1,2
# before: clean: there is a GPU
# run: print([t.sum().item() for t in places(torch.ones(2), torch.ones(2))])
