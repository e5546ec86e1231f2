# Gradients are accumulated over two batches.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 2


def main():
    torch.manual_seed(7)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 5), torch.randint(0, 4, (96,))), batch_size=8, shuffle=True)
    model = nn.Linear(5, 4).to(device)
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for epoch in range(2):
        optimizer.zero_grad()
        for step, (x, y) in enumerate(loader):
            loss = F.cross_entropy(model(x.to(device)), y.to(device)) / ACCUMULATE
            loss.backward()
            if (step + 1) % ACCUMULATE == 0:
                optimizer.step()
                optimizer.zero_grad()
                print(f"{epoch} {step} {loss.item() * ACCUMULATE:.4f}")


if __name__ == "__main__":
    main()
