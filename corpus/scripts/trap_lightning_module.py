"""A LightningModule: the trainer places module and batches, the module knows self.device."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    import pytorch_lightning as pl
except ImportError:
    print("pytorch_lightning is not installed")
    sys.exit(0)


class LitRegressor(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(6, 1)

    def training_step(self, batch, batch_idx):
        x, y = batch
        noise = torch.randn(x.shape).to(self.device)
        return nn.functional.mse_loss(self.net(x + noise), y)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)


if __name__ == "__main__":
    torch.manual_seed(118)
    loader = DataLoader(TensorDataset(torch.randn(24, 6), torch.randn(24, 1)), batch_size=6)
    model = LitRegressor()
    trainer = pl.Trainer(max_epochs=1, logger=False, enable_checkpointing=False)
    trainer.fit(model, loader)
    with torch.no_grad():
        for x, y in loader:
            print(model.net(x).shape == y.shape)
