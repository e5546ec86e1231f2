# The wrap and the placement are one expression: another order of the two would change nothing.
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))

torch.manual_seed(3)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(Net()).eval().to(device, non_blocking=True)
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
