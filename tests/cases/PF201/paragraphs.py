"""What moves in front of a block that starts a paragraph stays a paragraph; beside a plain statement it does not."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def resumed(path):
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201

    if path:
        optimizer.load_state_dict(torch.load(path))

    model.to(device)

    return model, optimizer


def scheduled(steps):
    model = nn.Linear(4, 2)

    # the optimizer
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201

    # its schedule
    schedule = None
    if steps:
        schedule = torch.optim.lr_scheduler.StepLR(optimizer, steps)

    # the criterion
    criterion = nn.CrossEntropyLoss()

    if torch.cuda.is_available():
        model.cuda()
        criterion.cuda()

    return model, optimizer, schedule, criterion


def plain():
    model = nn.Linear(4, 2)

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # want: PF201
    print(model)
    model.to(device)

    print(optimizer)
    return model


print(len(resumed("")), len(scheduled(2)), plain())
