# options: unsafe
# run: print(round(Trainer(nn.Linear(3, 1).to(device)).predict((torch.ones(2, 3), torch.ones(2, 1), None)).item(), 4) < 100)
"""What is unpacked together with what is moved on the next line, and what a forward is given with it, is a tensor."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Trainer:
    def __init__(self, model):
        self.model = model

    def predict(self, inputs):
        x, y, _ = inputs
        x = x.to(device)  # want: PF303 unsafe
        y = y.to(device)
        return (self.model(x) - y).sum()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(9, 4)

    @property
    def device(self):
        return self.embed.weight.device

    def forward(self, tokens, weights):
        weights = weights.to(self.device)
        tokens = tokens.to(self.device)  # want: PF303 unsafe
        return (self.embed(tokens) * weights).sum()


print(round(Net().to(device)(torch.arange(3), torch.ones(3, 1)).item(), 4) < 100)
