# The file takes all of its names as settings: a new device would be among them.
import torch
import torch.nn as nn

rate = 0.1
net = nn.Linear(3, 2).cuda()  # want: PF401 report
settings = {name: value for name, value in globals().items() if not name.startswith("_")}
print(sorted(settings), net(torch.ones(1, 3).cuda()))  # want: PF401 report
