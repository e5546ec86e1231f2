"""Every place a call can stand in."""
import torch
from torch import nn
from torch.autograd import Variable

torch.manual_seed(0)
model = nn.Linear(4, 2)
model.cuda()  # want: PF401
criterion = nn.MSELoss().cuda()  # want: PF401

x, y = torch.randn(3, 4), torch.randn(3, 2)
x, y = x.cuda(), y.cuda(non_blocking=True)  # want: PF401 # want: PF401
loss = criterion(model(x.cuda()), y)  # want: PF401
z = x.cuda() * 2 + torch.ones(4).cuda()  # want: PF401 # want: PF401
pair = [x.cuda(), (y.cuda(),)]  # want: PF401 # want: PF401
named = {"x": x.cuda()}  # want: PF401
rows = [row.cuda() for row in x]  # want: PF401
moved = Variable(x.cuda())  # want: PF401
late = Variable(x).cuda().float()  # want: PF401
copied = x.cuda(  # want: PF401
    non_blocking=True,  # overlaps with the copy of y
    memory_format=torch.preserve_format,
)
none = x.cuda(None)  # want: PF401


def predict(batch):
    return model(batch.view(-1, 4).cuda())  # want: PF401


move = lambda t: (t + 0).cuda()  # want: PF401
print(predict(x).shape, move(x).shape, (x if loss > 0 else x.cuda()).shape)  # want: PF401
