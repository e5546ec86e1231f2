# before: clean: it loads on the machine on which it has saved
# run: print(shapes().weight, numbers().weight, keys().weight)
import io

import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def saved():
    buffer = io.BytesIO()
    net = nn.Linear(4, 2)
    nn.init.ones_(net.weight)
    torch.save({"net": net.state_dict(), "best": torch.ones(2).sum(), "history": [1, 2]}, buffer)
    buffer.seek(0)
    return buffer


def shapes():
    net = nn.Linear(4, 2).to(device)
    state = torch.load(saved(), map_location="cpu")  # want: PF405
    best = state.pop("best")
    print(best.shape, best.dtype, best.dim())
    net.load_state_dict(state["net"])
    return net


def numbers():
    net = nn.Linear(4, 2).to(device)
    state = torch.load(saved(), map_location="cpu")  # want: PF405
    net.load_state_dict(state["net"])
    best = float(state["best"])
    print(f"best: {state['best'].item():.3f}, {best:.3f}", len(state["history"]))
    return net


def keys():
    net = nn.Linear(4, 2).to(device)
    state = torch.load(saved(), map_location="cpu")  # want: PF405
    weights = {}
    for key in state["net"]:
        if key.startswith("w") or "bias" in key:
            weights["module." + key] = state["net"][key]
    net.load_state_dict({key[7:]: value for key, value in weights.items()})
    return net
