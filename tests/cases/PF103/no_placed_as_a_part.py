import torch
import torch.nn as nn


class Whole(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.DataParallel(nn.Linear(6, 6))
        self.head = nn.Linear(6, 2)

    def forward(self, x):
        return self.head(self.body(x))


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Whole().to(device)
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
