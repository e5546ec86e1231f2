# A part of a placed module whose class is not seen lies where the module does.
# options: unsafe
# given: import torch; build = lambda: torch.nn.Linear(3, 2)
import torch
import torch.nn.functional as F
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = build()

    def encode(self, x):
        return self.encoder(x)


net = Net().to(device)
codes = net.encode(torch.ones(4, 3).to(device))
wanted = torch.zeros(4, 2, device=device)  # want: PF302 unsafe, warning
print(f"{F.mse_loss(codes, wanted).item():.4f}")
