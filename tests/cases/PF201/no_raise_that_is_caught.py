import torch
import torch.nn as nn


def main(name, device):
    model = nn.Linear(6, 2)
    try:
        if name == "sgd":
            optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201 report
        else:
            raise KeyError(name)
        model.to(device)
    except KeyError:
        return model
    return optimizer
