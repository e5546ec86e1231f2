"""Items of something, and the code shows that they are tensors."""
import torch
from torch import nn


def step(net, data, use_cuda):
    words, tags = data
    if use_cuda:  # want: PF403
        words = words.cuda()
        tags = tags.cuda(non_blocking=True)
    return nn.functional.nll_loss(net(words.long()), tags)


def restore(optimizer, use_cuda):
    if use_cuda:  # want: PF403
        for state in optimizer.state.values():
            for k, v in state.items():
                if isinstance(v, torch.Tensor):
                    state[k] = v.cuda()
