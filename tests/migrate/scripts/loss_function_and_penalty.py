# A function for the loss, and a penalty on the weights.
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def objective(model, output, target):
    fit = F.mse_loss(output, target)
    penalty = 0.0
    for parameter in model.parameters():
        penalty = penalty + parameter.abs().sum()
    return fit + 1e-3 * penalty


def main():
    torch.manual_seed(15)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 4), torch.randn(96, 1)), batch_size=16, shuffle=True)
    model = nn.DataParallel(nn.Linear(4, 1)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for epoch in range(2):
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            loss = objective(model, model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(epoch)


if __name__ == "__main__":
    main()
