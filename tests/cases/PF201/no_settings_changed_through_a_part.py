import torch
import torch.nn as nn


def adjust(config):
    part = config["optimizer"]
    for name in ("lr",):
        part[name] = 0.5


def pick():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def main(config):
    model = nn.Linear(6, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=config["optimizer"]["lr"])  # want: PF201 report
    adjust(config)
    device = pick()
    model.to(device)
    return optimizer.param_groups[0]["lr"]


print(main({"optimizer": {"lr": 0.1}}))
