"""A batch that numpy reads as well is moved at its uses, all of them by one fix."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 3).to(device)
other = nn.Linear(3, 3).to(device)
loader = DataLoader(TensorDataset(torch.zeros(4, 3), torch.zeros(4, 3)), batch_size=2)
for x, y in loader:
    print(x.numpy().mean())
    loss = nn.functional.mse_loss(net(x.to(device)), y.to(device))  # want: PF301  # want: PF301
    loss = loss + other(x.to(device)).mean()  # want: PF301
    print(y.numpy(), loss.item())
for b in loader:
    print(b[0].numpy().mean())
    print(net(b[0].to(device)).mean().item(), other(b[0].to(device)).mean().item())  # want: PF301  # want: PF301
