import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


class Pair:
    names = ["encoder", "decoder"]

    def __init__(self):
        self.encoder = nn.Linear(3, 2)
        self.decoder = nn.Linear(2, 3)

    def setup(self):
        for name in self.names:
            getattr(self, name).to(device)

    def run(self, x):
        return self.decoder(self.encoder(x.to(device)))


pair = Pair()
pair.setup()
print(round(pair.run(torch.ones(1, 3)).sum().item(), 4))
