"""Where the parameter is not replaced it is None, and needs no move."""
import torch


def show(x, label):
    return (x.sum() + (0 if label is None else label.sum())).item()


def labelled(x, label=None):
    x = torch.relu(x).cuda()  # want: PF401
    if label is not None:
        label = torch.LongTensor(1).cuda().fill_(label)  # want: PF401
    return show(x, label)


def nested(x, label=None):
    x = torch.relu(x).cuda()  # want: PF401
    if label is not None:
        if label is not None:
            label = torch.full((2,), label).cuda()  # want: PF401
    return show(x, label)


print(labelled(torch.ones(2), 1), labelled(torch.ones(2)), nested(torch.ones(2), 2))
