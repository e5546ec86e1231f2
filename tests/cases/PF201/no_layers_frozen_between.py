import itertools

import torch
import torch.nn as nn


def of_a_list(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    for layer in [net.conv, net.fc]:
        for weight in layer.parameters():
            weight.requires_grad = False
    net.to(device)
    return optimizer


def of_a_slice(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    for layer in list(net.children())[:2]:
        for weight in layer.parameters():
            weight.requires_grad = False
    net.to(device)
    return optimizer


def by_name(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    for _, layer in net.named_children():
        layer.freeze()
    net.to(device)
    return optimizer


def by_number(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    for number in range(2):
        layer = net.layers[number]
        layer.freeze()
    net.to(device)
    return optimizer


def in_pairs(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    for one, other in zip(net.left, net.right):
        one.tie(other)
    net.to(device)
    return optimizer


def in_a_dictionary(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    parts = {"body": net.body, "head": net.head}
    for part in parts.values():
        part.freeze()
    net.to(device)
    return optimizer


def appended(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    frozen = []
    frozen.append(net.body)
    for part in frozen:
        part.freeze()
    net.to(device)
    return optimizer


def chained(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    for part in itertools.chain(net.left, net.right):
        part.freeze()
    net.to(device)
    return optimizer


def mapped(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    list(map(lambda part: part.freeze(), net.children()))
    net.to(device)
    return optimizer


def chosen(net, device, deep):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    part = net.body if deep else net.head
    part.freeze()
    net.to(device)
    return optimizer


def the_first(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    next(net.children()).freeze()
    net.to(device)
    return optimizer


def asked_for(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    getattr(net, "body").freeze()
    net.to(device)
    return optimizer


def among_modules(net, device):
    optimizer = torch.optim.Adagrad(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)  # want: PF201 report
    for whole in [net]:
        for weight in whole.parameters():
            weight.requires_grad = False
    net.to(device)
    return optimizer
