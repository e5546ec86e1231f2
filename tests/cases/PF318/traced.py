"""A trace that is saved or moved keeps the device of its example for the tensors that forward makes."""
import torch
from torch import nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        mask = torch.ones(x.shape[0], 2, device=x.device)
        return self.fc(x) * mask


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Masked().to(device)
example = torch.ones(1, 3, device=device)
traced = torch.jit.trace(model, example)  # want: PF318 report
traced = traced.to("cpu")
stored = torch.jit.trace(model, example)  # want: PF318 report
torch.jit.save(stored, "stored.pt")
torch.jit.trace(model, example).save("model.pt")  # want: PF318 report
