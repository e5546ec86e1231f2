# rules: all
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = nn.Linear(4, 2).to(device)
loader = torch.utils.data.DataLoader([(torch.zeros(4), 0)])
for inputs, target in loader:
    inputs = inputs.to(device, non_blocking=True)  # want: PF400
    target = target.to(device, non_blocking=True)  # want: PF400
    loss = nn.functional.cross_entropy(model(inputs), target)
