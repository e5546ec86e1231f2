"""USE_CUDA is a constant to be edited by hand: the device must follow it, not availability."""
import torch
import torch.nn as nn

USE_CUDA = False
SEED = 20

torch.manual_seed(SEED)
if USE_CUDA:
    torch.cuda.manual_seed(SEED)


class Seq2Vec(nn.Module):
    def __init__(self):
        super(Seq2Vec, self).__init__()
        self.gru = nn.GRU(4, 6, batch_first=True)
        self.out = nn.Linear(6, 2)

    def forward(self, x):
        return self.out(self.gru(x)[0][:, -1])


def evaluate(net, x):
    net.eval()
    if USE_CUDA:
        x = x.cuda()
    with torch.no_grad():
        return net(x).abs().mean().item()


net = Seq2Vec()
if USE_CUDA:
    net.cuda()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(3):
    x = torch.randn(6, 5, 4)
    y = torch.randint(0, 2, (6,))
    if USE_CUDA:
        x, y = x.cuda(), y.cuda()
    net.train()
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, round(loss.item(), 5), round(evaluate(net, torch.ones(2, 5, 4)), 5))
