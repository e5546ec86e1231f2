"""Findings switched off by comments stay, and so does the code."""
# placefix: file-ignore[PF4] this kernel has no host version
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def benchmark_kernel():
    return torch.ones(4).cuda() * 2


def main():
    torch.manual_seed(143)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(12, 3), torch.randn(12, 1)), batch_size=4)
    model = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)  # placefix: ignore[PF201] order kept for the paper
    model.to(device)
    for x, y in loader:  # noqa: PF301
        if device not in (torch.device("cpu"),):
            break
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(round(loss.item(), 5))
    if torch.cuda.is_available():
        print(benchmark_kernel().sum().item())


if __name__ == "__main__":
    main()
