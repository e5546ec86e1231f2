"""Nothing moves what these are called with: a DistributedDataParallel without device_ids, a module that moves its labels alone,
a generator that moves the targets."""
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, TensorDataset


class Scored(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 6)
        self.out = nn.Linear(6, 2)

    def forward(self, tokens, labels):
        labels = labels.to(self.out.weight.device)
        mask = torch.ones(tokens.size(0), 1)
        mask = mask.to(labels.device)
        logits = self.out(self.embed(tokens).mean(1)) * mask
        return nn.functional.cross_entropy(logits, labels)


def placed(loader, device):
    for x, y in loader:  # want: PF301
        yield x, y.to(device)


def main():
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29571")
    dist.init_process_group("gloo", rank=0, world_size=1)
    torch.manual_seed(3)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(8, 5), torch.randn(8, 1)), batch_size=4)
    model = nn.Linear(5, 1)
    model.to(device)
    model = DistributedDataParallel(model)
    for x, y in loader:  # want: PF301
        y = y.to(device)
        print("%.4f" % nn.functional.mse_loss(model(x), y).item())
    words = DataLoader(TensorDataset(torch.randint(0, 20, (8, 4)), torch.randint(0, 2, (8,))), batch_size=4)
    scored = Scored().to(device)
    for tokens, labels in words:  # want: PF301
        print("%.4f" % scored(tokens, labels).item())
    plain = nn.Linear(5, 1).to(device)
    for x, y in placed(loader, device):
        print("%.4f" % (plain(x) - y).sum().item())
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
