import torch
import torch.nn as nn
from tools import to_gpu

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(nn.Linear(6, 2))
to_gpu(model)
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
