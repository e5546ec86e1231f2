import torch
import torch.nn as nn

torch.manual_seed(20)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Linear(6, 2), nn.Tanh())
model = nn.DataParallel(model)  # want: PF102 report
for parameter in model.parameters():
    if parameter.dim() > 1:
        nn.init.xavier_uniform_(parameter)
model.to(device)
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
