# rules: PF301, PF302, PF303
import pytorch_lightning as pl
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Lit(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 3)

    def training_step(self, batch, batch_idx):
        x, y = batch
        noise = torch.randn(x.size(0), 4)
        return nn.functional.cross_entropy(self.net(x + noise), y)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Lit().to(device)
loader = DataLoader(TensorDataset(torch.randn(24, 4), torch.randint(0, 3, (24,))), batch_size=6)
for x, y in loader:
    print(model.net(x).shape)
pl.Trainer(max_epochs=1).fit(model, loader)
