# A pinned buffer that a copy in the background fills; without `pin_memory` the copy would wait.
# machines: 1,2
# fails: AssertionError
# run: assert fill(torch.ones(3)) == 3.0
import torch

buffer = torch.zeros(3, pin_memory=True)
values = torch.arange(3.0).cuda()
buffer.copy_(values, non_blocking=True)  # want: PF314
print(buffer[2].item())


def fill(given):
    own = torch.zeros(3).pin_memory()
    own.copy_(given.cuda(), True)  # want: PF314
    return own.sum().item()
