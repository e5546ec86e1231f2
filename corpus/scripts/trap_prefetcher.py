"""A prefetcher hands out placed batches; the loops over it must stay as they are."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Prefetcher:
    """Iterates over `loader`, one batch ahead, on a side stream where there is one."""

    def __init__(self, loader, device):
        self.loader = loader
        self.device = device
        self.stream = torch.cuda.Stream() if device.type == "cuda" else None

    def __iter__(self):
        ready = None
        for batch in self.loader:
            with torch.cuda.stream(self.stream):
                moved = [t.to(self.device, non_blocking=True) for t in batch]
            if ready is not None:
                yield ready
            if self.stream is not None:
                torch.cuda.current_stream().wait_stream(self.stream)
            ready = moved
        yield ready


def device_batches(loader, device):
    for x, y in loader:
        yield x.to(device), y.to(device)


def main():
    torch.manual_seed(103)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(40, 4), torch.randn(40, 1)), batch_size=10, pin_memory=False)
    model = nn.Linear(4, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.MSELoss()
    for epoch in range(2):
        for x, y in Prefetcher(loader, device):
            loss = criterion(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            total = 0.0
            for x, y in device_batches(loader, device):
                total += criterion(model(x), y).item()
        print(epoch, round(loss.item(), 5), round(total, 5))


if __name__ == "__main__":
    main()
