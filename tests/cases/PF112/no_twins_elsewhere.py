# not run: the other package is not installed
"""Other keys or arguments, another function, or a caller that gets the result placed."""
import torch
from nets import HEADS, MODELS, get_model, make

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(name, task, config):
    model = MODELS[name](config)
    model.to(device)
    other = get_model(task)
    other.to(device)
    return model(torch.ones(2, 3, device=device)), other


def inference(kind, task, config):
    head = HEADS[kind](config)
    model = get_model(config)
    transform = make(task)
    x = torch.ones(2, 3, device=device)
    return head(x), model(x), transform(x)


def placed_later(task):
    model = get_model(task)
    model.eval()
    model = model.to(device)
    return model(torch.ones(2, 3, device=device))
