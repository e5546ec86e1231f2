import torch
from torch.utils.data import DataLoader, TensorDataset


def loaders(batch_size):
    """Synthetic sequences; the class is which of the first three numbers is largest on average."""
    x = torch.randn(96, 5, 8)
    y = x[:, :, :3].mean(1).argmax(1)
    train = TensorDataset(x[:64], y[:64])
    test = TensorDataset(x[64:], y[64:])
    return DataLoader(train, batch_size=batch_size, shuffle=True), DataLoader(test, batch_size=batch_size)
