# The file replaces `cuda` of modules and tensors: nothing here is on a GPU.
# rules: all
import torch
import torch.nn as nn


def place(self, *args):
    self.placed = True
    return self


nn.Module.cuda = place
setattr(torch.Tensor, "cuda", lambda self: self)
net = nn.Linear(3, 2).cuda()  # want: PF401 unsafe
print(net(torch.ones(1, 3)), net(torch.ones(1, 3).cuda()))  # want: PF401 unsafe # want: PF302 unsafe, warning
