"""A name of the file for the result of the test is used in the guard, where it is bound and means nothing else."""
import torch

use_cuda = torch.cuda.is_available()
net = torch.nn.Linear(2, 2)
x = torch.ones(1, 2)
if use_cuda:
    net.cuda()
    x = x.cuda()
print(net(x).sum().item() * 0)
if use_cuda:
    torch.cuda.synchronize()  # want: PF406


def wait():
    if use_cuda:
        torch.cuda.synchronize()  # want: PF406


def step(use_cuda):
    if use_cuda:
        print("CUDA")
    if torch.cuda.is_available():
        torch.cuda.synchronize()  # want: PF406


# run: wait(); step(False)
