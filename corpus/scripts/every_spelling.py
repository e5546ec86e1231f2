"""Every way of 2018 to say .cuda(): in tuples, calls, operands, containers, returns, Variables; and its arguments."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable

torch.manual_seed(11)


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.fc = nn.Linear(4, 2)

    def forward(self, x, shift):
        x = F.relu(self.conv(x)) + shift * torch.ones(x.size()).cuda()
        return self.fc(x.mean(3).mean(2))


def make_noise(n):
    return 0.1 * torch.linspace(-1, 1, n * 25).view(n, 1, 5, 5).cuda()


net = Net().cuda()
criterion = nn.CrossEntropyLoss(torch.tensor([1.0, 2.0]).cuda()).cuda()
optimizer = torch.optim.Adam([{"params": net.conv.parameters()}, {"params": net.fc.parameters(), "lr": 1e-3}], lr=1e-2)

images, labels = torch.randn(8, 1, 5, 5), torch.randint(0, 2, (8,))
for step in range(4):
    x, y = images.cuda(), labels.cuda(non_blocking=True)
    noisy = Variable(images).cuda() + make_noise(8)
    shift = Variable(torch.zeros(1).cuda(), requires_grad=False)
    first = net(x.contiguous(memory_format=torch.channels_last).cuda(memory_format=torch.channels_last), shift)
    second = net(noisy, torch.full((1,), 0.5).cuda(device=None, non_blocking=True))
    weights = {"first": torch.tensor(0.7).cuda(), "second": torch.tensor(0.3).cuda()}
    losses = [criterion(out, y) * weights[name].cuda() for name, out in (("first", first), ("second", second))]
    loss = sum(losses) + 1e-3 * torch.stack([p.pow(2).sum() for p in net.parameters()]).sum().cuda()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    hits = (first.argmax(1) == labels.cuda()).sum().item()
    print("step %d loss %.5f hits %d" % (step, loss.item(), hits))
