import torch
import torch.nn as nn

net = nn.Linear(4, 2)


def by_question(path):
    if torch.cuda.is_available():
        net.load_state_dict(torch.load(path))
    else:
        net.load_state_dict(torch.load(path, map_location="cpu"))


def by_expression(path, use_cuda):
    net.load_state_dict(torch.load(path) if use_cuda else torch.load(path, map_location="cpu"))


def by_handler(path):
    try:
        net.load_state_dict(torch.load(path))
    except RuntimeError:
        net.load_state_dict(torch.load(path, map_location="cpu"))


def needs_cuda(path):
    assert torch.cuda.is_available()
    net.load_state_dict(torch.load(path))
