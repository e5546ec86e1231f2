import torch
from torch import nn

cuda = True if torch.cuda.is_available() else False
device = torch.device("cuda" if cuda else "cpu")
model = nn.Linear(4, 1)
model = model.to(device)  # want: PF403
x = torch.randn(2, 4)
y = x.to(device)  # want: PF403
print(model(x.to(device)), (x.to(device), y))  # want: PF403 # want: PF403
move = lambda t: t.float().to(device)  # want: PF403
print(-y.to(device), move(x.view(-1)))  # want: PF403
again = (
    x.sum().to(device)  # want: PF403
)
print(again.shape)
