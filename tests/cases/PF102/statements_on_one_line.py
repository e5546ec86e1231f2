import torch
import torch.nn as nn

torch.manual_seed(15)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(6, 2); model = nn.DataParallel(model); model.to(device)  # want: PF102
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
