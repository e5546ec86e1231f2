# not run: the helpers are not at hand
import torch

from helpers import RAdam, Report, Trainer, build, weight_groups


def report():
    model = build()
    summary = Report(weight_groups(model, 0.01), title="weights")
    model.load_state_dict(torch.load("model.pt", map_location="cpu"))
    model.cuda()
    return summary


def restore(state):
    state = Trainer(state)
    optimizer = RAdam(weight_groups(state, 0.01), lr=0.1)
    state.load_state_dict(torch.load("state.pt", map_location="cpu"))
    return optimizer


def place(state):
    state = state.to("cuda")
    return state
