import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

try:
    from tqdm import tqdm
except ImportError:

    def tqdm(iterable, **kwargs):
        return iterable


class SquaresDataset(Dataset):
    """Numbers and their squares."""

    def __init__(self, n):
        self.x = torch.linspace(-1, 1, n).unsqueeze(1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, idx):
        return self.x[idx], self.x[idx] ** 2


DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
EPOCHS = 3


def train_fn(loader, model, optimizer, loss_fn):
    loop = tqdm(loader, disable=True)
    for batch_idx, (data, targets) in enumerate(tqdm(loader, disable=True)):
        predictions = model(data)
        loss = loss_fn(predictions, targets)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item(), len(loop)


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(1, 10), nn.Tanh(), nn.Linear(10, 1)).to(DEVICE)
    loss_fn = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    train_loader = DataLoader(SquaresDataset(64), batch_size=16, shuffle=False)

    for epoch in range(EPOCHS):
        loss, batches = train_fn(train_loader, model, optimizer, loss_fn)
        print(f"epoch {epoch + 1}/{EPOCHS} {batches} batches, loss {loss:.6f}")


if __name__ == "__main__":
    main()
