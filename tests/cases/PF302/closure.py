"""The closure that an optimizer is handed runs in its step."""
import torch
from torch import nn, optim

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
seq = nn.Linear(3, 1).to(device)
data = torch.arange(18.0).view(6, 3) / 18  # want: PF302
target = torch.zeros(6, 1, device=device)
optimizer = optim.LBFGS(seq.parameters())
for i in range(3):
    def closure():
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(seq(data), target)
        loss.backward()
        return loss
    loss = optimizer.step(closure)
    print(loss.item())
