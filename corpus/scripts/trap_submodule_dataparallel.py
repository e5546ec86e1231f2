"""Only the convolutional part is wrapped; the whole model is placed afterwards, on purpose."""
import torch
import torch.nn as nn


class AlexLike(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.classifier = nn.Linear(4, 3)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def main():
    torch.manual_seed(133)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = AlexLike()
    # the big linear layers stay on one card
    model.features = nn.DataParallel(model.features)
    model.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.randn(8, 1, 6, 6).to(device)
    y = torch.randint(0, 3, (8,)).to(device)
    for step in range(3):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(step, round(loss.item(), 5))


if __name__ == "__main__":
    main()
