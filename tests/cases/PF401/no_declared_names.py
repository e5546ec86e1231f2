"""A name that a function declares global or nonlocal is not the one of the function around it, or changes there."""
import torch

device = "cpu"


def build():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def first():
        global device
        device = "cpu"
        return torch.ones(1).cuda()  # want: PF401 unsafe

    def second():
        nonlocal device
        device = None

    made = first(), second()
    return made, torch.ones(1).cuda(), device  # want: PF401 unsafe


def count():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    def inner():
        global device
        device = 3
        return torch.ones(1).cuda()  # want: PF401 unsafe

    return inner(), device


print(build(), count())
