# A scheduler that looks at the training loss.
import torch
import torch.nn as nn
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(26)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 4), torch.randn(96, 1)), batch_size=32, shuffle=True)
    model = nn.DataParallel(nn.Linear(4, 1))
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    scheduler = ReduceLROnPlateau(optimizer, patience=0)
    for epoch in range(3):
        mean = 0.0
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mean += loss.item() / len(loader)
        scheduler.step(mean)
        print(epoch, round(mean, 4), optimizer.param_groups[0]["lr"])


if __name__ == "__main__":
    main()
