# not run: the optimizer is not at hand
import torch
import torch.nn as nn

from lookahead import Lookahead

net = nn.Linear(4, 2)
optimizer = Lookahead(net.parameters(), lr=0.1)  # want: PF201 report
net.load_state_dict(torch.load("net.pt", map_location="cpu"))
print(net(torch.ones(1, 4)))
net.to("cuda")
optimizer.step()
