# A checkpoint with the epoch and the optimizer, saved in each epoch and resumed from if it is there.
import os

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

PATH = "checkpoint.pt"


def main():
    torch.manual_seed(8)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(96, 3), torch.randn(96, 2))
    loader = DataLoader(data, batch_size=16, shuffle=True)
    model = nn.DataParallel(nn.Linear(3, 2).to(device))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    start = 0
    if os.path.exists(PATH):
        checkpoint = torch.load(PATH)
        model.load_state_dict(checkpoint["model"])
        optimizer.load_state_dict(checkpoint["optimizer"])
        start = checkpoint["epoch"] + 1
    for epoch in range(start, 2):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}")
        torch.save({"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}, PATH)


if __name__ == "__main__":
    main()
