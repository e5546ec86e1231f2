# options: unsafe
"""What stays is no fellow of what is moved: it is bound in other words, wanted on the CPU, asked about, or never meets it."""
import numpy as np
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def other_words(model, x, y):
    scores = model(x.to(device))
    y = y[:, 0].to(device)
    weights = y[:, 1] * 0.5
    return scores * weights


def read_on_the_cpu(net, batch):
    x, kinds = batch
    x = x.to(device)
    print(kinds.numpy())
    return net(x) + kinds.to(device)


def lengths_stay(net, batch):
    x, lengths = batch
    x = x.to(device)
    return nn.utils.rnn.pack_padded_sequence(net(x), lengths), x - lengths


def asked(net, batch):
    x, y = batch
    x = x.to(device)
    if not y.is_cuda:
        return net(x)
    return net(x) + net(y)


def apart(net, batch):
    x, y = batch
    x = x.to(device)
    return net(x).sum().item() + (y * 2).sum().item()


def also_elsewhere(net, batch):
    x, y = batch
    x = x.to(device)
    y = net.place(y)
    return net(x) + y + x


def other_devices(boxes, cpu_device):
    column = (boxes[:, 0] + boxes[:, 2]) * 0.5
    row = ((boxes[:, 1] + boxes[:, 3]) * 0.5).to(cpu_device)
    return column, row


def an_array(boxes):
    column = np.floor(boxes[0]) * 0.5
    row = torch.floor(boxes[1]).to(device) * 0.5
    return row * column
