# Tensors that the lines right above the guard create are created on the device; their names take the place of the moves.
# run: print([t.sum().item() for t in (*state(torch.ones(2, 3), cuda), labels([1, 2], cuda), *pair(2, cuda), *apart(2, cuda))])
# given: import torch
# given: cuda = torch.cuda.is_available()
import torch


def state(inputs, use_cuda):
    device = torch.device("cuda" if use_cuda else "cpu")
    h = torch.zeros(2, inputs.size(0), requires_grad=False, device=device)
    c = torch.zeros(2, inputs.size(0), requires_grad=False, device=device)
    # want: PF403
    return h, c


def labels(total, use_cuda):
    device = torch.device("cuda" if use_cuda else "cpu")
    targets = torch.arange(0, len(total), dtype=torch.long, device=device)  # want: PF403
    return targets


def pair(n, use_cuda):
    device = torch.device("cuda" if use_cuda else "cpu")
    a = torch.zeros(n, device=device)
    b = torch.ones(n, device=device)  # want: PF403
    return a, b


def apart(n, use_cuda):
    device = torch.device("cuda" if use_cuda else "cpu")
    a = torch.zeros(n, device=device)
    b = torch.ones(n, device=device)  # want: PF403
    return a, b
