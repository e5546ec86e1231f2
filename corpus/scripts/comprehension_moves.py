import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Triplets(Dataset):
    def __init__(self, n=36):
        self.data = torch.randn(n, 3, 5)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return {"anchor": self.data[i, 0], "positive": self.data[i, 1], "negative": self.data[i, 2]}


def run_epoch(net, loader, criterion, optimizer):
    for batch in loader:
        batch = {k: v.cuda() for k, v in batch.items()}
        anchor, positive, negative = [net(batch[k]) for k in ("anchor", "positive", "negative")]
        loss = criterion(anchor, positive, negative)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    torch.manual_seed(53)
    net = nn.Linear(5, 3).cuda()
    criterion = nn.TripletMarginLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    loader = DataLoader(Triplets(), batch_size=12)
    for epoch in range(2):
        print("epoch", epoch, "loss", round(run_epoch(net, loader, criterion, optimizer), 5))
    probes = [t.cuda() for t in torch.eye(5)[:2]]
    print([round(net(p).norm().item(), 5) for p in probes])


if __name__ == "__main__":
    main()
