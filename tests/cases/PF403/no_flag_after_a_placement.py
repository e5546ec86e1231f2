"""What a statement above has placed whatever the flag says lies on the GPU where the flag is off."""
import torch
import torch.nn as nn

n_gpu = 0


def start():
    student = nn.Sequential(nn.Linear(3, 3), nn.ReLU())
    student.cuda()
    x = torch.randn(2, 3).cuda()
    if n_gpu > 0:
        student.cpu()
    if n_gpu > 0:  # want: PF403 unsafe
        student.cuda()
    return student(x)
