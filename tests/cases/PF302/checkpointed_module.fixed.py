# ``checkpoint(f, x)`` calls f(x): of a module, a method, a layer.
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

device = "cuda" if torch.cuda.is_available() else "cpu"
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 3)
        self.b = nn.Linear(3, 3)

    def block(self, x, factor):
        return self.a(x) * factor

    def forward(self, x):
        x = checkpoint(self.block, x, 2, use_reentrant=False)
        return checkpoint(self.b, x, use_reentrant=False)


model = Net().to(device)
x = torch.ones(4, 3, device=device)  # want: PF302
y = checkpoint(model, x, use_reentrant=False)
target = torch.zeros(4, 3, device=device)  # want: PF302
loss = nn.functional.mse_loss(y, target)
loss.backward()
print(loss.item())
