"""Another value of the checkpoint is read, and its device shows: on the CPU it is another one."""
import copy

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def show(tensor):
    print(tensor.device)


def pop(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    loss = state.pop("loss")
    print(loss.device)
    net.load_state_dict(state)
    return net


def get(path):
    net = nn.Linear(4, 2)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])
    net.to(device)
    if state.get("best").is_cuda:
        print("on the GPU")
    return net


def item(path):
    net = nn.Linear(4, 2)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])
    return net.to(state["best"].device)


def unpacked(path):
    net = nn.Linear(4, 2).to(device)
    weights, best = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(weights)
    print(best.get_device())
    return net


def in_a_helper(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])
    show(state["best"])
    return net


def items_of_a_list(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])
    for number, tensor in enumerate(state["history"]):
        print(number, tensor.device)
    return net


def moved_in_a_loop(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])
    for tensor in state["history"]:
        tensor.to(device)
    return net


def added_in_a_loop(path, x):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])
    for tensor in reversed(state["history"]):
        x = x + tensor
    return net, x


def values(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state)
    return net, {k: v.device for k, v in state.items()}


def by_a_mask(path, x):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])
    x[state["mask"]] = 0
    return net


def copied(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])
    kept = dict(state)
    print(copy.deepcopy(kept)["best"].device)
    return net


def printed(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])
    print(f"best: {state['best']}")
    return net


def of_a_type(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])
    return net, isinstance(state["best"], torch.cuda.FloatTensor)


def default(path):
    net = nn.Linear(4, 2).to(device)
    state = torch.load(path)  # want: PF405 unsafe
    net.load_state_dict(state["net"])

    def scaled(x, by=state["scale"]):
        return x * by

    return net, scaled


class Trainer:
    def __init__(self):
        self.net = nn.Linear(4, 2).to(device)

    def restore(self, path):
        state = torch.load(path)  # want: PF405 unsafe
        self.net.load_state_dict(state["net"])
        self.best, step = state["best"], state["step"]
        print(len(step))
