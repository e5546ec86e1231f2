import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))

torch.manual_seed(4)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Net()
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)  # want: PF103
with torch.no_grad():
    out = model(torch.randn(4, 6).to(device))
print(out.sum().item())
# after: mat1 is on cuda:0: with one GPU, where nothing is wrapped, the model is not placed either
