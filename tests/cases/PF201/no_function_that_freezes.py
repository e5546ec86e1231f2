import torch
import torch.nn as nn


def make_optimizer(model):
    model.weight.requires_grad_(False)
    return torch.optim.SGD([p for p in model.parameters() if p.requires_grad], lr=0.1)


def count(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)



def pick():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


model = nn.Linear(6, 2)
optimizer = make_optimizer(model)  # want: PF201 report
print(count(model))
device = pick()
model.to(device)
print(model(torch.ones(2, 6, device=device)).shape)
