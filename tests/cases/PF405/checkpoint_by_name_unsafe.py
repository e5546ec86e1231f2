# options: unsafe
# not run: the files are those of another machine
"""What is loaded is a checkpoint by its names, and goes to code that is not seen."""
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


def whole_model(path):
    model = torch.load(path)  # want: PF405 unsafe
    return model(torch.ones(1, 4))


def load_checkpoint(path):
    return torch.load(path)  # want: PF405 unsafe


def opened(path, map_location=None):
    checkpoint = torch.load(path, weights_only=True)  # want: PF405 unsafe
    return checkpoint


def averaged(paths):
    total = {}
    for path in paths:
        loaded = torch.load(path)  # want: PF405 unsafe
        for key, value in loaded["model"].items():
            total[key] = total.get(key, 0) + value
    return total


def for_the_host(path, net):
    if device == "cpu":
        state_dict = torch.load(path)  # want: PF405 unsafe
    else:
        state_dict = torch.load(path, map_location=device)
    return net, state_dict
