import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def main(args):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if args.small:
        model = nn.Linear(6, 2)
        model = nn.DataParallel(model)  # want: PF102 report
    else:
        model = Net()
        model = nn.DataParallel(model)  # want: PF102 report
    model.to(device)
    return model
