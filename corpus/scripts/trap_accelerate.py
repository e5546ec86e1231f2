"""Hugging Face accelerate places everything in prepare()."""
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

try:
    from accelerate import Accelerator
except ImportError:
    print("accelerate is not installed")
    sys.exit(0)


def main():
    accelerator = Accelerator()
    torch.manual_seed(117)
    loader = DataLoader(TensorDataset(torch.randn(24, 6), torch.randn(24, 1)), batch_size=6)
    model = nn.Linear(6, 1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    model.to(accelerator.device)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    for epoch in range(2):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            accelerator.backward(loss)
            optimizer.step()
            optimizer.zero_grad()
        accelerator.print(epoch, round(loss.item(), 5))


if __name__ == "__main__":
    main()
