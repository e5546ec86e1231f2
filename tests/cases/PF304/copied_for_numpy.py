import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        steps = torch.zeros(2)  # want: PF304
        shown = (self.fc(x) + steps).sum()
        print(steps.cpu().numpy().shape)
        return shown
# run: import drive
# run: net = Net().to(drive.device)
# run: net(torch.ones(3, 4).to(drive.device))
