"""A reproducible split and shuffle: the generator was made on the device of the model."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    generator = torch.Generator(device=device).manual_seed(1)
    data = TensorDataset(torch.randn(24, 5), torch.randn(24, 1))
    train, test = random_split(data, [18, 6], generator=generator)
    loader = DataLoader(train, batch_size=6, shuffle=True, generator=generator)
    model = nn.Linear(5, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(3):
        total = 0.0
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = nn.functional.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total:.4f}")
    print(len(test))


if __name__ == "__main__":
    main()
