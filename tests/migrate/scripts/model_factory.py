# A function makes, places and wraps the model, and returns it.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def get_model(width):
    model = nn.Sequential(nn.Linear(4, width), nn.Softplus(), nn.Linear(width, 1))
    model = model.to(device)
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    return model


def get_loader(batch_size):
    return DataLoader(TensorDataset(torch.randn(96, 4), torch.randn(96, 1)), batch_size=batch_size, shuffle=True)


def train(model, loader, optimizer):
    model.train()
    running = 0.0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        loss = nn.functional.huber_loss(model(x), y)
        loss.backward()
        optimizer.step()
        running += loss.item()
    return running / len(loader)


def main():
    torch.manual_seed(35)
    loader = get_loader(16)
    model = get_model(7)
    optimizer = torch.optim.NAdam(model.parameters(), lr=0.01)
    for epoch in range(2):
        loss = train(model, loader, optimizer)
        print(f"epoch {epoch} {loss:.4f}")


if __name__ == "__main__":
    main()
