import torch
import torch.nn as nn

torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")
device = torch.get_default_device()
model = nn.Linear(6, 2)
model = nn.DataParallel(model)
model.to(device)
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
