"""The default type of tensors puts the module on a GPU, whatever the flag says."""
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()
if torch.cuda.is_available():
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
net = nn.Sequential(nn.Linear(3, 8), nn.ReLU())
if not args.no_cuda:  # want: PF403 unsafe
    net = net.cuda()
print(net(torch.ones(1, 3)))
