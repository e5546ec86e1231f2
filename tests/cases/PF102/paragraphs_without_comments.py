"""Where the moved lines have no comment of their own, nothing is put between them and the next."""
import torch
from torch import nn


def train(several):
    model = nn.Linear(4, 1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # several GPUs
    if several:
        model = nn.DataParallel(model)  # want: PF102

    model = model.to(device)

    x = torch.ones(2, 4).to(device)
    return model(x)


print(train(torch.cuda.device_count() > 1).shape)
