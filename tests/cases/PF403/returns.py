"""A guard that returns, and the return behind it."""
import torch


def hidden(n, use_cuda):
    h = torch.zeros(n)
    # as large as the batch
    if use_cuda:  # want: PF403
        return h.cuda(), h.clone().cuda()

    # on the host
    return h, h.clone()


def to_tensor(array, use_cuda=False):
    tensor = torch.tensor(array)
    if use_cuda:  # want: PF403
        return tensor.cuda()
    else:
        return tensor


print(hidden(2, False), to_tensor([1]))
# run: cuda = torch.cuda.is_available()
# run: print(hidden(2, cuda), to_tensor([1], cuda))
