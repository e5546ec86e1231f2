# options: unsafe
# What a method converts to a tensor of the CPU, or fills: it is moved, holds lengths, is made of something else, or nothing is made on a device
# for it.
import torch


class Model:
    def moved(self, batch):
        inputs, labels = batch
        labels = torch.from_numpy(labels)
        inputs = inputs.to(self.device)
        return inputs, labels.to(self.device)

    def lengths(self, batch):
        inputs, lengths = batch
        lengths = torch.from_numpy(lengths)
        inputs = inputs.to(self.device)
        return inputs, lengths

    def from_elsewhere(self, batch, rows):
        inputs, labels = batch
        labels = self.read(rows)
        inputs = inputs.to(self.device)
        return inputs, labels

    def apart(self, batch):
        inputs, labels = batch
        labels = torch.from_numpy(labels)
        inputs = inputs.to(self.device)
        self.labels.append(labels)
        return inputs

    def gathered(self, loader, n):
        found = torch.zeros(n, 3)
        first = torch.zeros(3, device=self.device)
        for row, x in enumerate(loader):
            found[row] = self.net(x.to(self.device)) + first
        return found

    def read_by_numpy(self, rows):
        found = torch.zeros(len(rows), 3)
        for number, row in enumerate(rows):
            found[number] = torch.tensor(row, device=self.device)
        return found.numpy()
