# options: unsafe
# Numpy reads an item of a batch of which another one is copied, as all else is; and what a module computes of a batch with such an item.
# given: from drive import device
import torch
from torch import nn


class Net(nn.Module):
    def forward(self, batch):
        return 0, [batch["x"] * 2, batch["x"] + 1]


def outputs_to_save(batch, outputs):
    targets = batch["targets"].numpy()  # want: PF310 unsafe, warning
    outputs = outputs.cpu().numpy()
    lengths = batch["lengths"].sum(1).cpu().numpy()
    return [row[:length] for row, length in zip(targets + outputs, lengths)]


def evaluate(runner, batch):
    _, outputs = runner.forward(batch)
    predictions = outputs[1].numpy()  # want: PF310 unsafe, warning
    targets = batch["targets"].cpu().numpy()
    return predictions + targets


# run: batch = {"x": torch.ones(2, 3).to(device), "targets": torch.ones(2, 3).to(device), "lengths": torch.ones(2, 2).long().to(device)}
# run: print(outputs_to_save(batch, batch["x"]), evaluate(Net(), batch))
