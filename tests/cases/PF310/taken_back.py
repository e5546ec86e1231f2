import numpy as np
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
host = torch.device("cpu")
torch.manual_seed(0)
net = nn.Linear(4, 3).to(device)
x = torch.randn(2, 4)
y = net(x.to(device)).detach()
print(x.numpy().shape, y.cpu().numpy().shape, y.to("cpu").numpy().shape, y.to(host).numpy().shape, np.asarray(y.tolist()).shape)
copy = y
if copy.is_cuda:
    copy = copy.cpu()
print(copy.numpy().shape)
try:
    array = y.numpy()
except TypeError:
    array = y.cpu().numpy()
print(array.shape, np.array([y.sum().item()]).shape, np.array(y.shape))
