# options: unsafe
# rules: PF401, PF402
"""A LightningModule knows its device: in its methods that is the device of a hard-coded move."""
import pytorch_lightning as pl
import torch
from torch import nn


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(2, 1)

    def training_step(self, batch, index):
        return self.net(batch + torch.ones(2).cuda()).sum()  # want: PF401 unsafe


class Sampling(Lit):
    def sample(self, n):
        noise = torch.ones(n, 2).to("cuda")  # want: PF402 unsafe
        return self.net(noise + torch.zeros(2, device="cuda"))  # want: PF402 unsafe


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
print(f"{Lit().to(device).training_step(torch.ones(3, 2).to(device), 0).item():.4f}")
print(f"{Sampling().to(device).sample(2).sum().item():.4f}")
