# options: unsafe
# The function takes something to the CPU that numpy does not read, perhaps the module; or it copies and places nothing.
import torch


def after_module(model, x, device):
    first = model(x.to(device))
    model = model.cpu()
    second = model(x)
    return first.cpu().numpy(), second.detach().numpy()


def on_host(model, x):
    return model(x).detach().numpy()


def not_of_a_graph(model, x, y, device):
    found = model(x.to(device))
    return found.cpu().numpy(), y.numpy()


def by_name_of_the_cpu(x, y, device):
    x = x.to(torch.device("cpu"))
    read = x.detach().numpy(), (y - 1).detach().numpy()
    return read, torch.ones(2).to(device)
