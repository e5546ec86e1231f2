import torch
import torch.nn as nn

device = torch.device("cpu")
model = nn.Linear(6, 2)
model = nn.DataParallel(model)
model.to(device)
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
