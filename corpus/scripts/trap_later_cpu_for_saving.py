import io

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(3)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Linear(10, 3))
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.CrossEntropyLoss()
    loader = DataLoader(TensorDataset(torch.randn(30, 4), torch.randint(0, 3, (30,))), batch_size=10)

    best = float("inf")
    buffer = io.BytesIO()
    for epoch in range(3):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if loss.item() < best:
            best = loss.item()
            buffer.seek(0)
            # checkpoints must load on machines without a GPU
            model.to("cpu")
            torch.save(model.state_dict(), buffer)
            model.to(device)
        print("epoch", epoch, "loss", round(loss.item(), 5))

    # hand the trained network to the export tool, which runs on the host
    model.cpu()
    scripted = torch.jit.trace(model, torch.zeros(1, 4))
    print("exported", len(scripted.state_dict()), "tensors, best", round(best, 5))


if __name__ == "__main__":
    main()
