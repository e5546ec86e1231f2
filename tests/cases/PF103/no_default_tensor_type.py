import torch
import torch.nn as nn

torch.set_default_tensor_type("torch.cuda.FloatTensor")
device = torch.device("cuda")
model = nn.DataParallel(nn.Linear(6, 2))
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
