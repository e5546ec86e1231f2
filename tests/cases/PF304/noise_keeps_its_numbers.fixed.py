import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode = nn.Linear(6, 4)
        self.decode = nn.Linear(4, 6)

    def forward(self, x: torch.Tensor):
        code = self.encode(x)
        noise = torch.randn(code.size(0), 4).to(code.device) * 0.1  # want: PF304
        return self.decode(code + noise)

    def sample(self, count):
        z = torch.randn(count, 4).to(self.decode.weight.device)  # want: PF304
        return self.decode(z)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Denoiser().to(device)
x = torch.randn(5, 6).to(device)
print(f"{(net(x).sum() + net.sample(3).sum()).item():.4f}")
