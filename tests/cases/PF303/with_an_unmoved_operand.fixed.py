# A discarded move of one operand, where the other one is on the CPU as well: both are moved, in one fix.
# rules: PF302,PF303
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 3).to(device)
x = torch.zeros(3)
y = torch.zeros(3, device=device)  # want: PF302
x = x.to(device)  # want: PF303
out = model(x + y)


def scores(count):
    a = torch.ones(3)
    b = (torch.ones(3) * count).to(device)  # want: PF302
    a = a.to(device)  # want: PF303
    return model(a * b).sum()


scores(2)
