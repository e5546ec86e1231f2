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
    model = Net()
    if args.parallel:
        model = nn.DataParallel(model.cuda())
    elif args.wrap_only:
        model = nn.DataParallel(model)
    else:
        model.cuda()
    return model
