"""Other things go to the device of a tensor than what is computed of the one that numpy reads; or that was copied, or its device is tested."""
import numpy as np
import torch


def beside(speech, frames):
    shape = np.zeros(speech.numpy().shape)
    return torch.zeros(3).to(frames.device), shape


def lengths_of_the_cpu(x, lengths):
    longest = lengths.numpy().max()
    return torch.arange(int(longest)).to(x.device)


def copied_first(x):
    y = x * 2
    x = x.cpu()
    return torch.from_numpy(np.sort(x.numpy())).to(y.device)


def computed_before(x):
    mask = torch.from_numpy(np.ones(3))
    mask = mask.to(x.device)
    return mask, x.numpy()


def asked(x):
    if x.device.type == "cpu":
        return torch.from_numpy(np.sort(x.numpy())).to(x.device)
    return x.sort().values


def asserted(x):
    assert x.device == torch.device("cpu")
    return torch.from_numpy(np.sort(x.numpy())).to(x.device)
