import argparse

import numpy as np
import torch
from torch.autograd import Variable

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
opt = parser.parse_args()

FloatTensor = torch.cuda.FloatTensor if opt.cuda else torch.FloatTensor  # want: PF407
LongTensor = torch.LongTensor if not opt.cuda else torch.cuda.LongTensor  # want: PF407


def sample(n):
    labels = np.array([number for number in range(n)])
    labels = Variable(LongTensor(labels))
    return Variable(FloatTensor(np.random.normal(0, 1, (n, 4)))), labels


for images in torch.utils.data.DataLoader(torch.zeros(8, 3), batch_size=4):
    valid = Variable(FloatTensor(images.size(0), 1).fill_(1.0), requires_grad=False)
    real = Variable(images.unsqueeze(1).type(FloatTensor))
    order = LongTensor(8).random_(4)
    empty = FloatTensor()
# run: print(sample(3)[1], valid.sum().item(), real.sum().item())
