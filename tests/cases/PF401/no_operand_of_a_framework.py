# Lightning places the module and its batches: the device of an operand is no reason for a fix.
import pytorch_lightning as pl
import torch


class Model(pl.LightningModule):
    def training_step(self, batch, index):
        x, lengths = batch
        mask = torch.arange(x.size(1)).cuda() < lengths.unsqueeze(1)  # want: PF401 unsafe
        return (x * mask).sum()
