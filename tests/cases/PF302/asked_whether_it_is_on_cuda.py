# The program asks whether a tensor is on the GPU before a module gets it: only the module's input is moved.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)
x = torch.tensor([[1.0, 2.0, 3.0]])
if x.is_cuda:
    print("on the GPU")
out = net(x)  # want: PF302
print(out.shape)
