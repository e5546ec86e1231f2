# Between the model's move and the criterion the name of the device gets another value: `.to(device)` would not place the weights.
# not run: it fails with a GPU, and no device is left that could repair it
import torch
import torch.nn as nn


def step():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(3, 3)
    model = model.to(device)
    x = torch.ones(2, 3).to(device)
    device = None
    criterion = nn.CrossEntropyLoss(weight=torch.ones(3))  # want: PF307 report
    return criterion(model(x), x)


def again():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(3, 3)
    model = model.to(device)
    x = torch.ones(2, 3).to(device)
    for _ in range(2):
        criterion = nn.CrossEntropyLoss(weight=torch.ones(3))  # want: PF307 report
        print(criterion(model(x), x).item())
        device = "cpu"
