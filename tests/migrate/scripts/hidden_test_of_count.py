# The number of GPUs scales the batch.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(43)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    count = max(torch.cuda.device_count(), 1)
    loader = DataLoader(TensorDataset(torch.randn(96, 4), torch.randn(96, 1)), batch_size=8 * count, shuffle=True)
    model = nn.Linear(4, 1).to(device)
    if count > 1:
        model = nn.DataParallel(model, device_ids=list(range(count)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    main()
