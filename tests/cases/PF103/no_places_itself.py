import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, 2)
        self.to(device)

    def forward(self, x):
        return self.fc(x)


model = nn.DataParallel(Net())
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
