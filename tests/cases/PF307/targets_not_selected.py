"""The discarded move of the targets is of a rule that is not selected: the criterion is not moved without them."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)
loss_of = nn.CrossEntropyLoss(weight=torch.ones(3))  # want: PF307 report
y = torch.zeros(2, dtype=torch.long)
y.to(device)
print(loss_of(net(torch.zeros(2, 3).to(device)), y).item())
