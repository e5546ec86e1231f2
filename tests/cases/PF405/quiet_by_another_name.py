import numpy as np
import torch as t
import torch.nn as nn

net = nn.Linear(4, 2)
net.load_state_dict(t.load("last.pt", map_location="cpu"))
table = np.load("table.npy")
net.load_state_dict({"weight": t.from_numpy(table), "bias": t.zeros(2)})
net.cuda()
