# One of several modules is made, kept for later calls and placed: whichever it is.
import torch
from torch import nn


def make(name):
    if name == "small":
        return nn.Linear(3, 2)
    if name == "wide":
        return nn.Linear(3, 20)
    return nn.Linear(3, 200)


def infer(frames, name):
    if not hasattr(infer, "model") or infer.name != name:
        model = make(name)
        infer.name = name
        infer.model = model.to(frames.device)
    return infer.model(frames)


def run(audio, name, gpu=None):
    frames = audio.to(torch.device("cpu" if gpu is None else f"cuda:{gpu}"))
    return infer(frames, name)
