# A helper computes the accuracy of a batch, for training alone.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def accuracy(output, target):
    return (output.argmax(dim=1) == target).float().mean()


def main():
    torch.manual_seed(23)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randint(0, 3, (96,))), batch_size=16, shuffle=True)
    model = nn.Linear(6, 3).to(device)
    model = nn.DataParallel(model)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for epoch in range(2):
        scores = []
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            output = model(x)
            loss = criterion(output, y)
            score = accuracy(output, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scores.append(score.item())
        print(epoch, sum(scores) / len(scores))


if __name__ == "__main__":
    main()
