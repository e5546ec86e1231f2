"""--no-cuda on a machine with one GPU: the wrapper pulls the model onto it, the placement takes it back."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()

torch.manual_seed(151)
device = torch.device("cuda" if not args.no_cuda and torch.cuda.is_available() else "cpu")

model = nn.Sequential(nn.Linear(6, 4), nn.ReLU(), nn.Linear(4, 2))
model = nn.DataParallel(model)
model.to(device)

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
net = model if device.type == "cuda" else model.module
x = torch.randn(10, 6).to(device)
y = torch.randint(0, 2, (10,)).to(device)
for step in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
