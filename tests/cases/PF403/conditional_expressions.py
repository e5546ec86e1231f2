import torch
from torch import nn

cuda = True if torch.cuda.is_available() else False
model = nn.Linear(4, 1)
model = model.cuda() if cuda else model  # want: PF403
x = torch.randn(2, 4)
y = (x.cuda() if cuda else x)  # want: PF403
print(model(x.cuda() if cuda else x), (x.cuda(), y) if cuda else (x, y))  # want: PF403 # want: PF403
move = lambda t: t.float().cuda() if cuda else t.float()  # want: PF403
print(-(y.cuda() if cuda else y), move(x.view(-1)))  # want: PF403
again = (
    x.sum().cuda() if cuda else x.sum()  # want: PF403
)
print(again.shape)
