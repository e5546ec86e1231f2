"""Fine-tune the head of a wrapped model: its layers are attributes of the module inside."""

import torch
import torch.nn as nn


class Classifier(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(6, 8), nn.ReLU())
        self.head = nn.Linear(8, classes)

    def forward(self, x):
        return self.head(self.features(x))


def main():
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.DataParallel(Classifier().to(device))
    for parameter in model.features.parameters():
        parameter.requires_grad = False
    optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    for step in range(4):
        x = torch.randn(12, 6).to(device)
        y = torch.randint(0, 3, (12,)).to(device)
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{step} {loss.item():.4f}")
    print("norm of the head", round(model.module.head.weight.norm().item(), 4))


if __name__ == "__main__":
    main()
