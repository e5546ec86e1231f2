# not run: it reads a file that it does not make
import os

import torch
import torch.nn as nn

net = nn.Linear(4, 2)
net.cuda()
net.load_state_dict(
    torch.load(  # want: PF405
        os.path.join('runs', 'best.pt'),
    )['state_dict'],
    strict=False,
)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
optimizer.load_state_dict(torch.load(('runs/optimizer.pt')))  # want: PF405
