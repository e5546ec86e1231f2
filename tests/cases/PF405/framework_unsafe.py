# options: unsafe
# Frameworks place modules and batches, but do not read checkpoints for the script.
# not run: the simulator has no Lightning
import torch
import pytorch_lightning as pl


class Net(pl.LightningModule):
    def restore(self, path):
        self.load_state_dict(torch.load(path))  # want: PF405 unsafe


def resume(accelerator, net, optimizer, path):
    checkpoint = torch.load(path)  # want: PF405 unsafe
    accelerator.unwrap_model(net).load_state_dict(checkpoint["net"])
    optimizer.load_state_dict(checkpoint["optimizer"])
