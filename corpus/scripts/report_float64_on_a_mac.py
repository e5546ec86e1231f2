"""Fit a line on whatever accelerator there is. The samples come from numpy as float64, which a Mac's GPU does not have."""

import numpy as np
import torch

if torch.cuda.is_available():
    device = torch.device("cuda")
elif torch.backends.mps.is_available():
    device = torch.device("mps")
else:
    device = torch.device("cpu")


def fit(steps):
    np.random.seed(7)
    samples = np.random.rand(64, 2)
    points = torch.from_numpy(samples).to(device)
    weights = torch.zeros(2, dtype=torch.float64, device=device, requires_grad=True)
    optimizer = torch.optim.SGD([weights], lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = ((points * weights).sum(1) - points[:, 0]).pow(2).mean()
        loss.backward()
        optimizer.step()
    return weights.detach().cpu().numpy()


if __name__ == "__main__":
    print(fit(20))
