import torch
import torch.nn as nn

torch.manual_seed(8)
wide = False
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel((nn.Linear(6, 8) if wide else nn.Linear(6, 2)).to(device))  # want: PF103
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
