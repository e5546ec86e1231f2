# Modules whose method is called by other code than `forward`: a layer, or a module of the file that is made of layers, gets the tensor.
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 3)

    def forward(self, x, scale=1.0):
        return self.fc(x) * scale

    def run(self, x):
        return self.fc(x).relu()


class OfLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = nn.Linear(2, 3)

    def sample(self, n):
        noise = torch.ones(n, 2, device=self.decoder.weight.device)  # want: PF304
        return self.decoder(noise)


class OfModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = Decoder()

    def sample(self, n):
        noise = torch.ones(n, 2, device=next(self.decoder.parameters()).device)  # want: PF304
        return self.decoder(noise)


class OfMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.decoder = Decoder()

    def sample(self, n):
        noise = torch.ones(n, 2, device=next(self.decoder.parameters()).device)  # want: PF304
        return self.decoder.run(noise)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
for cls in (OfLayer, OfModule, OfMethod):
    print(f"{cls().to(device).sample(4).sum().item():.4f}")
