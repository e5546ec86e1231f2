"""A DataParallel of our own that scatters lists by hand needs host batches."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class ListDataParallel(nn.DataParallel):
    """Each sample is an element of a list; samples go to the cards in turn."""

    def forward(self, samples):
        if not self.device_ids:
            return self.module([s.to(next(self.module.parameters()).device) for s in samples])
        shares = [samples[i:: len(self.device_ids)] for i in range(len(self.device_ids))]
        shares = [[s.to(f"cuda:{i}") for s in share] for i, share in zip(self.device_ids, shares) if share]
        if len(shares) == 1:
            return self.module(shares[0])
        replicas = self.replicate(self.module, self.device_ids[: len(shares)])
        outputs = self.parallel_apply(replicas, [(s,) for s in shares], [{}] * len(shares))
        return self.gather(outputs, self.output_device)


class SetNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.point = nn.Linear(3, 8)

    def forward(self, samples):
        return torch.stack([torch.relu(self.point(s)).amax(0).sum() for s in samples])


torch.manual_seed(109)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
clouds = [torch.randn(4 + i % 3, 3) for i in range(16)]
loader = DataLoader(clouds, batch_size=4, collate_fn=list)

net = SetNet().to(device)
net = ListDataParallel(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(2):
    for samples in loader:
        loss = net(samples).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, round(loss.item(), 5))
