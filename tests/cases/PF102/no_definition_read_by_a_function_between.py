import torch
import torch.nn as nn

device = "cpu"


def batch():
    return torch.ones(2, 6, device=device)


model = nn.Linear(6, 2)
model = nn.DataParallel(model)  # want: PF102 report
first = batch()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model.to(device)
