# Tensors that the lines right above the guard create are created on the device; their names take the place of the moves.
# run: print([t.sum().item() for t in (*state(torch.ones(2, 3), cuda), labels([1, 2], cuda), *pair(2, cuda), *apart(2, cuda))])
# given: import torch
# given: cuda = torch.cuda.is_available()
import torch


def state(inputs, use_cuda):
    h = torch.zeros(2, inputs.size(0), requires_grad=False)
    c = torch.zeros(2, inputs.size(0), requires_grad=False)
    if use_cuda:  # want: PF403
        return h.cuda(), c.cuda()
    return h, c


def labels(total, use_cuda):
    targets = torch.arange(0, len(total), dtype=torch.long)
    if use_cuda:  # want: PF403
        targets = targets.cuda()
    return targets


def pair(n, use_cuda):
    a = torch.zeros(n)
    b = torch.ones(n)
    if use_cuda:  # want: PF403
        a, b = a.cuda(), b.cuda()
    return a, b


def apart(n, use_cuda):
    a = torch.zeros(n)
    b = torch.ones(n)
    if use_cuda:  # want: PF403
        a = a.cuda()
        b = b.cuda()
    return a, b
