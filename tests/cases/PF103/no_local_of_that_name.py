"""The function's own `device` is none, and hides the module's: nothing can be placed on it."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(loader):
    device = None
    model = nn.DataParallel(nn.Linear(1, 1)).to(device)  # want: PF103 report
    criterion = nn.MSELoss().to(device)
    opt = torch.optim.SGD(model.parameters(), lr=1)
    for images, labels in loader:
        loss = criterion(model(images.to(device)), labels)
        loss.backward()
        opt.step()
