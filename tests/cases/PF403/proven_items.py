# options: unsafe
"""Items of something, and the code shows that they are tensors."""
import torch
from torch import nn


def step(net, data, use_cuda):
    words, tags = data
    if use_cuda:  # want: PF403 unsafe
        words = words.cuda()
        tags = tags.cuda(non_blocking=True)
    return nn.functional.nll_loss(net(words.long()), tags)


def restore(optimizer, use_cuda):
    if use_cuda:  # want: PF403 unsafe
        for state in optimizer.state.values():
            for k, v in state.items():
                if isinstance(v, torch.Tensor):
                    state[k] = v.cuda()
# run: from drive import device
# run: cuda = torch.cuda.is_available()
# run: net = nn.Sequential(nn.Embedding(4, 2), nn.LogSoftmax(1)).to(device)
# run: print(step(net, (torch.tensor([1.0, 3.0]), torch.tensor([0, 1])), cuda).item())
# run: optimizer = torch.optim.Adam(net.parameters())
# run: optimizer.state[0] = {"step": 3, "exp_avg": torch.ones(2)}
# run: restore(optimizer, cuda)
# run: print(optimizer.state[0]["exp_avg"].sum().item())
