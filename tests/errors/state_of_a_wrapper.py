# message: RuntimeError: Error(s) in loading state_dict for Net:
# rules: PF411
# fix: unsafe
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(Net().to(device))
torch.save(model.state_dict(), "net.pt")
net = Net().to(device)
net.load_state_dict(torch.load("net.pt", map_location=device))
