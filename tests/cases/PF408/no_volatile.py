"""Variables that record gradients on purpose, or are not in the graph anyway; a value that is not known."""
import torch
from torch.autograd import Variable


def step(x, volatile=False):
    x = Variable(x, volatile=volatile)
    y = Variable(x, volatile=False)
    with torch.no_grad():
        z = Variable(y, volatile=True)
    return Variable(z, requires_grad=True)


print(step(torch.ones(2)).shape)
