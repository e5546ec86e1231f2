"""The guard's body also seeds, sets cudnn and reports: it cannot be dropped."""
import argparse

import torch
import torch.backends.cudnn as cudnn
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
opt = parser.parse_args()

torch.manual_seed(128)
device = torch.device("cuda:0" if opt.cuda else "cpu")
model = nn.Linear(6, 2)

if opt.cuda:
    print("Number of GPUs:", torch.cuda.device_count())
    torch.cuda.manual_seed_all(128)
    cudnn.benchmark = True
    model.to(device)
    model = nn.DataParallel(model, device_ids=range(torch.cuda.device_count()))
else:
    print("Training on the host")
    torch.set_num_threads(1)

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(12, 6).to(device)
y = torch.randint(0, 2, (12,)).to(device)
for step in range(3):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
