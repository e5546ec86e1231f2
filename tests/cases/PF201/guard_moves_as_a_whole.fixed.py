import argparse
import torch
import torch.nn as nn
from torch.optim import SGD
from torch.optim.lr_scheduler import MultiStepLR

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args([])
args.cuda = not args.no_cuda and torch.cuda.is_available()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))

torch.manual_seed(4)
device = "cuda" if args.cuda else "cpu"
model = Net()
if args.cuda: model.cuda()
optimizer = SGD(model.parameters(), 0.1)  # want: PF201
scheduler = MultiStepLR(optimizer, [1, 2])
for step in range(3):
    x = torch.randn(4, 6).to(device)
    y = torch.randint(0, 2, (4,)).to(device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
