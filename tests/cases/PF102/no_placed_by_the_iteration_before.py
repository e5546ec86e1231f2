import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(4, 2)
epoch = 0
while epoch < 3:
    if epoch == 1:
        net = nn.DataParallel(net)
    net.to(device)
    epoch += 1
