# Attributes of nn.Module and of the wrappers, private ones, and those that the file gives the wrapper.
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def parallel(net):
    model = nn.DataParallel(net.to(device))
    model.best = 0.0
    model.train()
    setattr(model, "rounds", 3)
    print(model.training, model.device_ids, model.module, model.best, model._modules, model.forward)
    model.best += 1
    return model.state_dict(), model.module.fc


def distributed(net, x):
    model = DistributedDataParallel(net.to(device))
    with model.no_sync():
        model(x).sum().backward()
    return model.device, model.module.fc, model.require_backward_grad_sync
