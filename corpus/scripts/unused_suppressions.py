"""Suppressions that have outlived what they silenced, beside one that has not."""
# placefix: file-ignore[PF2] the optimizer once came first
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def on_gpu():
    return torch.ones(4).cuda()  # placefix: ignore[PF401] there is no host version


def main():
    torch.manual_seed(152)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(12, 3), torch.randn(12, 1)), batch_size=4)
    # placefix: ignore[PF112] placed in the constructor
    model = nn.Linear(3, 1).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # noqa: E501,PF201
    for x, y in loader:
        x, y = x.to(device), y.to(device)  # type: ignore # placefix: ignore[PF301, PF302] both are moved
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 5))
    if torch.cuda.is_available():
        print(tuple(on_gpu().shape))


if __name__ == "__main__":
    main()
