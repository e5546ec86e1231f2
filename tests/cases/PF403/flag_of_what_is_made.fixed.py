# rules: PF401, PF403
"""What the function makes, or takes from a loader, lies on the CPU where the flag is off."""
# run: sampled(3, torch.cuda.is_available()); train([(torch.ones(2, 3), torch.ones(2, 1))], torch.cuda.is_available())
# run: Net(torch.cuda.is_available()).sample(2)
import torch
import torch.nn as nn


def sampled(n, use_cuda):
    noise = torch.randn(n, 3).abs()
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403
    noise = noise.to(device)
    mask = torch.ones(n) > 0
    mask = mask.to(device)  # want: PF403
    return noise[mask]


def train(train_loader, use_cuda):
    net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1))
    device = torch.device("cuda" if use_cuda else "cpu")
    # want: PF403
    net.to(device)
    for i, (data, target) in enumerate(train_loader):
        # want: PF403
        data, target = data.to(device), target.to(device)
        loss = (net(data) - target).sum()
    for batch in train_loader:
        x = batch[0].view(-1, 3)
        # want: PF403
        x = x.to(device)
        loss = loss + net(x).sum()
    return loss.item()


class Net(nn.Module):
    def __init__(self, use_cuda):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.use_cuda = use_cuda
        device = torch.device("cuda" if use_cuda else "cpu")
        # want: PF403
        self.to(device)

    def sample(self, count):
        noise = torch.ones(count, 4)
        if self.use_cuda:  # want: PF403 unsafe
            noise = noise.cuda()
        return self.fc(noise)
