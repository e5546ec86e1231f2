"""Every place a call can stand in."""
import torch
from torch import nn
from torch.autograd import Variable

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

torch.manual_seed(0)
model = nn.Linear(4, 2)
model.to(device)  # want: PF401
criterion = nn.MSELoss().to(device)  # want: PF401

x, y = torch.randn(3, 4), torch.randn(3, 2)
x, y = x.to(device), y.to(device, non_blocking=True)  # want: PF401 # want: PF401
loss = criterion(model(x.to(device)), y)  # want: PF401
z = x.to(device) * 2 + torch.ones(4, device=device)  # want: PF401 # want: PF401
pair = [x.to(device), (y.to(device),)]  # want: PF401 # want: PF401
named = {"x": x.to(device)}  # want: PF401
rows = [row.to(device) for row in x]  # want: PF401
moved = Variable(x.to(device))  # want: PF401
late = Variable(x).to(device).float()  # want: PF401
copied = x.to(  # want: PF401
    device,
    non_blocking=True,  # overlaps with the copy of y
    memory_format=torch.preserve_format,
)
none = x.to(device)  # want: PF401


def predict(batch):
    return model(batch.view(-1, 4).to(device))  # want: PF401


move = lambda t: (t + 0).to(device)  # want: PF401
print(predict(x).shape, move(x).shape, (x if loss > 0 else x.to(device)).shape)  # want: PF401
