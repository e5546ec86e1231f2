"""A guard that returns, and the return behind it."""
import torch


def hidden(n, use_cuda):
    h = torch.zeros(n)
    device = torch.device("cuda" if use_cuda else "cpu")
    # as large as the batch
    # want: PF403
    return h.to(device), h.clone().to(device)


def to_tensor(array, use_cuda=False):
    device = torch.device("cuda" if use_cuda else "cpu")
    tensor = torch.tensor(array, device=device)
    # want: PF403
    return tensor


print(hidden(2, False), to_tensor([1]))
# run: cuda = torch.cuda.is_available()
# run: print(hidden(2, cuda), to_tensor([1], cuda))
