"""A volatile variable, as torch 0.3 had them: gradients are recorded all the same."""
import torch
from torch.autograd import Variable

net = torch.nn.Linear(2, 1)


def evaluate(x):
    x = Variable(x, volatile=True)  # want: PF408 report
    return net(x)


print(evaluate(torch.ones(1, 2)).shape, torch.autograd.Variable(torch.ones(2), volatile=True).shape)  # want: PF408 report
