"""Everything is made on CUDA by the default type of tensors."""
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=4)
parser.add_argument("--cuda", default=True, type=lambda text: text.lower() in ("yes", "true", "1"))
args = parser.parse_args()

torch.manual_seed(17)
if torch.cuda.is_available():
    if args.cuda:
        torch.set_default_tensor_type("torch.cuda.FloatTensor")
    else:
        print("There is a GPU, and it is not used: run with --cuda.")
        torch.set_default_tensor_type("torch.FloatTensor")
else:
    torch.set_default_tensor_type("torch.FloatTensor")

boxes = torch.linspace(0, 1, 12).view(4, 3)
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
if args.cuda and torch.cuda.is_available():
    net = net.cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for step in range(args.steps):
    images, targets = boxes + 0.1 * step, torch.arange(8.0).view(4, 2)
    if args.cuda and torch.cuda.is_available():
        images, targets = images.cuda(), targets.cuda()
    loss = (net(images) - targets).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("iter %d || Loss: %.4f" % (step, loss.item()))
