# The result goes back to the device of an input, which is the CPU here.
import torch
from torch import nn


def get_device(thing, default=None):
    if hasattr(thing, "device"):
        return thing.device
    elif hasattr(thing, "parameters"):
        return next(thing.parameters()).device
    return torch.device(default)


def separate(model, wave):
    before = get_device(wave, default="cpu")
    wave = wave.to(get_device(model, default="cpu"))
    return model(wave).to(before)


def separate_array(model, wave):
    wave = torch.from_numpy(wave)
    return separate(model, wave).detach().numpy()


print(separate_array(nn.Linear(3, 2), torch.ones(2, 3).numpy()).shape)
