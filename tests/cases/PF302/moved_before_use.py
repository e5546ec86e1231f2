# rules: PF301, PF302, PF303
import torch
from torch import nn

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device)
x = torch.randn(2, 4)
mean = x.mean(0)
x = (x - mean).to(device)
print(model(x).shape)
y = torch.zeros(2, 3)
if device.type == "cuda":
    y = y.cuda()
print((model(x) - y).shape)
z = torch.randn(2, 4)
z = z.to(x)
print(model(z).shape)
w = torch.randn(2, 4)
w = w.to(next(model.parameters()).device)
print(model(w).shape)
