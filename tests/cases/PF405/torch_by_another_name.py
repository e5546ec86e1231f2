# not run: it reads files that it does not make
import torch as t
import torch.nn as nn

net = nn.Linear(4, 2)
net.load_state_dict(t.load("last.pt"))  # want: PF405
net.cuda()
