# The gradient that starts a backward pass has to be where the output is; one of no dimension is moved.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)
critic = nn.Linear(3, 1).to(device)


def gradient_penalty(real, fake):
    inter = (0.5 * real + 0.5 * fake).requires_grad_(True)
    d = critic(inter)
    grad = torch.autograd.grad(
        outputs=d,
        inputs=inter,
        grad_outputs=torch.ones(d.size()).to(device),  # want: PF302
        create_graph=True,
    )[0]
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


print(gradient_penalty(torch.ones(4, 3).to(device), torch.zeros(4, 3).to(device)).item())
x = torch.ones(3, requires_grad=True, device=device)
y = x * 2
y.backward(torch.ones(3).to(device), retain_graph=True)  # want: PF302
torch.autograd.backward(y, torch.ones(3).to(device))  # want: PF302
(x * 2).sum().backward(torch.tensor(1.0))
print(x.grad.sum().item())
