"""Copies that are right where they are: made of what is placed, moved, copied to from anywhere, or kept on the CPU by their code."""
import copy

import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def made_of_what_is_placed():
    net = nn.Linear(4, 2)
    net.to(device)
    average = copy.deepcopy(net)
    for p, q in zip(net.parameters(), average.parameters()):
        q.data.mul_(0.9).add_(0.1 * p.data)


def moved_as_well():
    net = nn.Linear(4, 2)
    average = copy.deepcopy(net)
    for module in (net, average):
        module.to(device)
    for p, q in zip(net.parameters(), average.parameters()):
        q.data.mul_(0.9).add_(0.1 * p.data)


def copied_alone():
    net = nn.Linear(4, 2)
    target = copy.deepcopy(net)
    net.to(device)
    for p, q in zip(net.parameters(), target.parameters()):
        q.data.copy_(p.data)
        q.data = q.data * 0.5


def kept_on_the_host():
    net = nn.Linear(4, 2)
    average = copy.deepcopy(net)
    net.to(device)
    for p, q in zip(net.parameters(), average.parameters()):
        q.data.mul_(0.9).add_(0.1 * p.data.cpu())


def follows_where_it_is():
    net = nn.Linear(4, 2)
    average = copy.deepcopy(net)
    net.to(device)
    for p, q in zip(net.parameters(), average.parameters()):
        q.data.mul_(0.9).add_(0.1 * p.data.to(q.device))


def both_on_the_host():
    net = nn.Linear(4, 2)
    average = copy.deepcopy(net)
    for p, q in zip(net.parameters(), average.parameters()):
        q.data.mul_(0.9).add_(0.1 * p.data)
    net.to(device)


def numbers(net):
    net = nn.Linear(4, 2)
    other = copy.deepcopy(net)
    net.to(device)
    for p, q in zip(net.parameters(), other.parameters()):
        q.data.mul_(p.numel() / q.numel())
        print(p.norm() * q.numel(), q.norm() + p.norm())


def given(net, other):
    net.to(device)
    for p, q in zip(net.parameters(), other.parameters()):
        q.data.mul_(0.9).add_(0.1 * p.data)


def one_module():
    net = nn.Linear(4, 2)
    net.to(device)
    before = [p.detach().clone() for p in net.parameters()]
    for p, q in zip(net.parameters(), before):
        q.mul_(0.9).add_(0.1 * p)


def another_statement_places(models):
    net = nn.Linear(4, 2)
    average = copy.deepcopy(net)
    net.to(device)
    models.append(average)
    average.cuda()
    for p, q in zip(net.parameters(), average.parameters()):
        q.data.mul_(0.9).add_(0.1 * p.data)


def swa():
    net = nn.Linear(4, 2)
    average = torch.optim.swa_utils.AveragedModel(net)
    net.to(device)
    average.update_parameters(net)
