# A tuple of tensors goes to a module whose methods use its items one by one: it has no .to().
import torch
from torch import nn


class Scenes(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return torch.rand(3), torch.rand(2)


def collate_fn(batch):
    return tuple(zip(*batch))


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 2)

    def forward(self, images, targets):
        return self.losses(self.head(torch.stack(images)), targets)

    def losses(self, outputs, targets):
        return sum((o - t).abs().mean() for o, t in zip(outputs, targets))


class Boxes(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(2, 2)

    def forward(self, boxes):
        return torch.stack([self.head(box) for box in boxes])


def train(model, boxes, loader, device):
    for images, targets in loader:
        images = list(images)
        loss = model(images, targets)  # want: PF301 report  # want: PF301 report
        loss.backward()
    for _, targets in loader:
        boxes(targets).mean().backward()  # want: PF301 report


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = torch.utils.data.DataLoader(Scenes(), batch_size=4, collate_fn=collate_fn)
    train(Detector().to(device), Boxes().to(device), loader, device)


main()
