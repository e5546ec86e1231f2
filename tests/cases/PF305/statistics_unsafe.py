# options: unsafe
import torch
from torch import nn


class Normalise(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = torch.tensor([0.4, 0.5, 0.6])  # want: PF305 unsafe
        self.std = torch.tensor(  # want: PF305 unsafe
            [0.2, 0.2, 0.3]
        ).view(3, 1, 1)

    def forward(self, image):
        return (image - self.mean.view(3, 1, 1)) / self.std


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Normalise().to(device)
image = torch.rand(2, 3, 4, 4).to(device)
print(f"{net(image).sum().item():.4f}")
