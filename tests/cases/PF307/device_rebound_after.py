# The name of the device gets another value below the criterion: above it, it still is the device of the model.
# run: kept()
import torch
import torch.nn as nn


def kept():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(3, 3)
    model = model.to(device)
    criterion = nn.CrossEntropyLoss(weight=torch.ones(3))  # want: PF307
    for _ in range(2):
        x = torch.ones(2, 3).to(device)
        print(criterion(model(x), x).item())
    device = None
    return criterion
