import torch
import pytorch_lightning as pl


class Net(pl.LightningModule):
    def restore(self, path):
        self.load_state_dict(torch.load(path))
