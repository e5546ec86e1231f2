# The layer is read before a line gives the wrapper an attribute of that name.
# run: print(finetune()(torch.ones(2, 4)).shape)
# fails: object has no attribute
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(x)


def finetune():
    model = nn.DataParallel(Net().to(device))
    inputs = model.fc.in_features  # want: PF113
    model.fc = nn.Linear(inputs, 2).to(device)
    return model
