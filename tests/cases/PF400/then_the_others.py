# rules: all
import torch
import torch.nn as nn

model = nn.Linear(4, 2).cuda()
loader = torch.utils.data.DataLoader([(torch.zeros(4), 0)])
for inputs, target in loader:
    inputs = inputs.cuda(async=True)  # want: PF400
    target = target.cuda(async=True)  # want: PF400
    loss = nn.functional.cross_entropy(model(inputs), target)
