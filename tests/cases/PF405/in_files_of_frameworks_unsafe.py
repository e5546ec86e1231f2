# options: unsafe
# not run: the framework is not installed
"""`torch.load` needs the devices of the checkpoint, whoever places the module that takes its values."""
import torch
import pytorch_lightning as pl


class Net(pl.LightningModule):
    def restore(self, path):
        self.load_state_dict(torch.load(path))  # want: PF405 unsafe
