# forward returns outputs, a loss for each item, or two values; the mean is taken already.
import torch
import torch.nn.functional as F
from torch import nn


class Outputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x, y):
        return self.fc(x)


class Items(Outputs):
    def forward(self, x, y):
        return F.cross_entropy(self.fc(x), y, reduction="none")


class Both(Outputs):
    def forward(self, x, y):
        if self.training:
            return F.cross_entropy(self.fc(x), y)
        return self.fc(x)


class Loss(Outputs):
    def forward(self, x, y):
        return F.cross_entropy(self.fc(x), y)


def outputs(x, y):
    model = nn.DataParallel(Outputs().cuda())
    out = model(x.cuda(), y.cuda())
    out.backward(torch.ones_like(out))


def items(x, y):
    model = nn.DataParallel(Items().cuda())
    loss = model(x.cuda(), y.cuda())
    loss.mean().backward()


def both(x, y):
    model = nn.DataParallel(Both().cuda())
    loss = model(x.cuda(), y.cuda())
    loss.backward()


def mean(x, y):
    model = nn.DataParallel(Loss().cuda())
    loss = model(x.cuda(), y.cuda()).mean()
    loss.backward()


def later(x, y, n_gpu):
    model = nn.DataParallel(Loss().cuda())
    loss = model(x.cuda(), y.cuda())
    if n_gpu > 1:
        loss = loss.mean()
    loss.backward()


def one_device(x, y):
    model = nn.DataParallel(Loss().cuda(), device_ids=[0])
    loss = model(x.cuda(), y.cuda())
    loss.backward()


def gradient(x, y):
    model = nn.DataParallel(Loss().cuda())
    loss = model(x.cuda(), y.cuda())
    loss.backward(gradient=torch.ones_like(loss))


def dimension(x, y):
    model = nn.DataParallel(Loss().cuda())
    loss = model(x.cuda(), y.cuda())
    if loss.dim() > 0:
        loss.sum().backward()
    else:
        loss.backward()
