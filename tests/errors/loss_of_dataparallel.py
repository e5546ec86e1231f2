# message: RuntimeError: grad can be implicitly created only for scalar outputs
# rules: PF414
# devices: 2
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x, y):
        return F.mse_loss(self.fc(x), y)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(Net().to(device))
loss = model(torch.ones(8, 4, device=device), torch.ones(8, 2, device=device))
loss.backward()
