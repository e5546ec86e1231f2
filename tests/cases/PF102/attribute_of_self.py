import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


class Solver:
    def __init__(self, device, parallel):
        self.device = device
        self.model = Net()
        if parallel:
            self.model = nn.DataParallel(self.model)  # want: PF102
        self.steps = 0
        self.model.to(self.device)

    def run(self):
        return self.model(torch.randn(3, 6).to(self.device)).sum().item()


torch.manual_seed(8)
print(Solver(torch.device("cuda" if torch.cuda.is_available() else "cpu"), True).run())
