import torch
import torch.nn as nn
import torch.optim as optim

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))
params = []
for name, weight in dict(net.named_parameters()).items():
    if "bias" in name:
        params += [{"params": [weight], "weight_decay": 0}]
    else:
        params += [{"params": [weight]}]
net.to(device)
optimizer = optim.Adagrad(params, lr=0.1)  # want: PF201
optimizer.zero_grad()
net(torch.randn(3, 4, device=device)).sum().backward()
optimizer.step()
