"""Tensor = torch.cuda.FloatTensor where there is a GPU: placement by type, everywhere."""
import torch
from torch import nn
from torch.autograd import Variable

cuda = torch.cuda.is_available()
device = torch.device("cuda" if cuda else "cpu")
Tensor = torch.cuda.FloatTensor if cuda else torch.FloatTensor

torch.manual_seed(138)
model = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 1)).to(device)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for i in range(4):
    valid = Variable(Tensor(8, 1).fill_(1.0), requires_grad=False)
    imgs = Variable(torch.randn(8, 4).type(Tensor))
    loss = nn.functional.mse_loss(model(imgs), valid)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(i, round(loss.item(), 5))
