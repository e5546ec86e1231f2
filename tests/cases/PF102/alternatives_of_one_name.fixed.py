import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def main(parallel=True):
    torch.manual_seed(16)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = Net()
    net = net.to(device)
    if parallel:
        model = nn.DataParallel(net)  # want: PF102
    else:
        model = net
    with torch.no_grad():
        out = model(torch.randn(4, 6).to(device))
    print(out.sum().item())


main()
