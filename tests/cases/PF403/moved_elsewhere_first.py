# rules: PF401, PF403
"""What was placed by its own device is on the CPU in one arm only: it may be on a GPU where the flag is off."""
# machines: 0
import torch
import torch.nn as nn

DEVICE = "cuda:0" if torch.cuda.is_available() else "cpu"
n_gpu = 0


def repeat():
    student = nn.Linear(3, 3)
    student.to(DEVICE)
    data = torch.ones(2, 3).to(DEVICE)
    if n_gpu >= 1:
        student.cpu()
    if n_gpu >= 1:  # want: PF403 unsafe
        student.cuda()
    print(student(data).shape)


def of_parts(layer, parts):
    net = nn.Sequential(layer, nn.Linear(3, 3))
    if n_gpu >= 1:  # want: PF403 unsafe
        net.cuda()
    rest = nn.ModuleList(parts)
    if n_gpu >= 1:  # want: PF403 unsafe
        rest.cuda()
    return net, rest


repeat()
