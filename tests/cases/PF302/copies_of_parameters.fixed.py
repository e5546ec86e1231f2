"""Copies of parameters that are made before the module is placed stay on the CPU."""
import torch
from torch import nn


class Average:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {n: p.data.clone() for n, p in model.named_parameters()}

    def update(self, model):
        for n, p in model.named_parameters():
            self.shadow[n] = (
                self.decay * self.shadow[n]
            ).to(device) + (1 - self.decay) * p.data  # want: PF302


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = nn.Linear(3, 2)
start = net.weight.data.clone().to(device)  # want: PF302
old = {n: p.detach().clone() for n, p in net.named_parameters()}
average = Average(net, 0.9)
net.to(device)
optimizer = torch.optim.SGD(net.parameters(), 0.1)
loss = net(torch.ones(4, 3, device=device)).sum()
for n, p in net.named_parameters():
    loss = loss + ((p - old[n].to(device)) ** 2).sum()  # want: PF302
loss.backward()
optimizer.step()
average.update(net)
print(f"{(net.weight - start).abs().sum().item():.4f}")
