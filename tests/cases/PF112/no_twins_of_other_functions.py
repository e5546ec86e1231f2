# options: unsafe
# not run: the other package is not installed
"""What another function makes by the same call, and places, shows nothing: a test may run on the CPU here and on a GPU there."""
import torch
from nets import HEADS, MODELS, get_model

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(name, config):
    model = MODELS[name](config)
    model.to(device)
    model.train()
    return model(torch.ones(2, 3, device=device))


def inference(name, config):
    head = HEADS[name](config)
    head.eval()
    return head(torch.ones(2, 3, device=device))


def run_train(task, batch):
    model = get_model(task, width=4)
    model = model.to(device)
    return model(batch.to(device))


def run_eval(task, batch):
    model = get_model(task, width=4)
    batch = batch.to(device)
    return model(batch)
