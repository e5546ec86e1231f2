# A part whose class is not in the file: what it gets with the input, and what meets its output.
# options: unsafe
# given: import torch; join = lambda size: torch.nn.Bilinear(size, size, 3)
# given: build = lambda size: torch.nn.LSTM(size, 3)
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Joined(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.decoder = join(size)

    def forward(self, x):
        noise = torch.ones(x.size(0), 2)  # want: PF304 unsafe, warning
        return self.decoder(x, noise)


class Unpacked(nn.Module):
    """Its own output meets the labels in each call: that is proven."""

    def __init__(self, size):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.decoder = build(size)
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, x, labels):
        x = self.fc(x)
        predicted, _ = self.decoder(x)
        labels = torch.LongTensor(labels)  # want: PF304
        return self.criterion(predicted, labels)


torch.manual_seed(0)
inputs = torch.ones(4, 2).to(device)
print(f"{Joined(2).to(device)(inputs).sum().item():.4f}", f"{Unpacked(2).to(device)(inputs, [0, 1, 0, 1]).item():.4f}")
