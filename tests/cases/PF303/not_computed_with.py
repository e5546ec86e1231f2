# options: unsafe
"""Instances of classes, modules with a `.device`, texts, and moves before which alone a value is used."""
import torch
from gpytorch.kernels import MaternKernel, RBFKernel

from mylib import make_model


def kernels(x):
    base = MaternKernel(nu=2.5)
    base.to(x)
    return base * RBFKernel()


def dequantized(model, device):
    on_cpu = model.device.type == "cpu"
    if on_cpu:
        model.to(device)
    return make_model(model)


def shown(net, device):
    net.to(device)
    print("the net: %s" % net)
    return make_model(net)


def used_before(x, y, device):
    z = x * y
    y.to(device)
    return z


def of_different_things(batch, other, device):
    x = batch["x"]
    net = other["net"]
    x = x.to(device)
    net.to(device)
    return make_model(x, net)


def of_one_thing(state, device):
    x = state["x"]
    net = state["net"]
    x = x.to(device)
    net.to(device)
    return net(x)


def to_another_device(batch, device):
    x = batch["x"]
    y = batch["y"]
    x = x.to(device)
    y.to("meta")
    return make_model(x, y)
