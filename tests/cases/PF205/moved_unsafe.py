# options: unsafe
import torch
from torch import nn
from torch.nn import Parameter

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3)).to(device)  # want: PF205 unsafe
        self.shift = Parameter(0.1 * torch.ones(3), requires_grad=True).to(device, non_blocking=True)  # want: PF205 unsafe

    def forward(self, x):
        return x * self.scale + self.shift


torch.manual_seed(1)
net = Scale().to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(4, 3, device=device)).pow(2).mean()
loss.backward()
optimizer.step()
print(f"{net.scale.sum().item():.4f}")
