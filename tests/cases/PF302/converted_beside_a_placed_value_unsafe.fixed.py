# options: unsafe
# A method converts what it unpacks to a tensor of the CPU, and returns it with a value that it places.
# given: import torch
# given: import numpy
# given: batched = torch.tensor
# run: model = Model("cuda" if torch.cuda.is_available() else "cpu")
# run: graphs, labels = model.prepared(([[1.0, 2.0]], [numpy.ones(2)]))
# run: print((graphs + labels).sum().item())
import torch


class Model:
    def __init__(self, device):
        self.device = device

    def prepared(self, batch):
        inputs, labels = batch
        if labels is not None:
            labels = torch.from_numpy(labels[0]).float().to(self.device)  # want: PF302 unsafe, warning
        graphs = batched(inputs).to(self.device)
        return graphs, labels
