import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# fmt: off
model = nn.Linear(6,  2)
model = nn.DataParallel(model)  # want: PF102 report
model.to(device)
# fmt: on
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
