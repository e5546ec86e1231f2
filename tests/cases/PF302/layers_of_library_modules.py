"""A layer of a library's module that is moved and has a mode is a module on that device, which takes its inputs as they are."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
head = nn.MultiheadAttention(4, 1).out_proj.to(device).eval()
tail = nn.MultiheadAttention(4, 1).out_proj.eval().to(device)


def descend(content, steps=2):
    image = content.clone().requires_grad_(True)
    optimizer = torch.optim.LBFGS([image], max_iter=2)
    for _ in range(steps):

        def closure():
            optimizer.zero_grad()
            loss = head(image).pow(2).mean()  # want: PF302
            loss.backward()
            return loss

        print(f"{optimizer.step(closure).item():.4f}")


descend(torch.ones(2, 4))
print(f"{tail(torch.ones(2, 4)).sum().item():.4f}")  # want: PF302
