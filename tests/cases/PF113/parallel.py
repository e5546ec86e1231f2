# An optimizer and a print read layers of the wrapped module.
# run: train()
# fails: object has no attribute
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)
        self.fc = nn.Linear(3, 2)
        self.classes = 2

    def forward(self, x):
        return self.fc(self.body(x))

    def penalty(self):
        return self.fc.weight.sum()


def train():
    model = nn.DataParallel(Net().to(device))
    optimizer = torch.optim.SGD(model.fc.parameters(), lr=0.1)  # want: PF113
    out = model(torch.ones(2, 4).to(device))
    loss = out.sum() + model.penalty()  # want: PF113
    loss.backward()
    optimizer.step()
    print(model.classes, model.fc.weight.sum().item())  # want: PF113 # want: PF113
