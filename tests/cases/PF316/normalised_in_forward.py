import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, features=4):
        super().__init__()
        self.features = features
        self.conv = nn.Conv2d(1, features, 3)

    def forward(self, x):
        x = self.conv(x)
        x = nn.BatchNorm2d(num_features=self.features)(x)  # want: PF316 report
        x = nn.ReLU(inplace=True)(x)
        head = torch.nn.Linear(x.size(1), 3)  # want: PF316 report
        return head(x.mean((2, 3)))


torch.manual_seed(3)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = Net().to(device)
print(net(torch.randn(2, 1, 8, 8, device=device)).shape)
