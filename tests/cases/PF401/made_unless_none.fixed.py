"""Where the parameter is not replaced it is None, and needs no move."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def show(x, label):
    return (x.sum() + (0 if label is None else label.sum())).item()


def labelled(x, label=None):
    x = torch.relu(x).to(device)  # want: PF401
    if label is not None:
        label = torch.empty(1, dtype=torch.int64, device=device).fill_(label)  # want: PF401
    return show(x, label)


def nested(x, label=None):
    x = torch.relu(x).to(device)  # want: PF401
    if label is not None:
        if label is not None:
            label = torch.full((2,), label, device=device)  # want: PF401
    return show(x, label)


print(labelled(torch.ones(2), 1), labelled(torch.ones(2)), nested(torch.ones(2), 2))
