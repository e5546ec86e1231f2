import torch
from torch.nn import Parameter

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
weight = torch.nn.Linear(2, 2).to(device).weight
copy = torch.nn.Parameter(weight.data.float()).to(weight.device)
row = Parameter(weight.detach()[0].clone()).to(weight.device)


class Feature:
    def __init__(self, value):
        self.value = Parameter(value, requires_grad=False).to(device)


Feature(torch.ones(2))
