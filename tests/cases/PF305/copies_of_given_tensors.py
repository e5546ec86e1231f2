# `torch.tensor` copies a tensor where it is: the caller gives one on the device.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Normalization(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean = torch.tensor(mean).view(-1, 1, 1)
        self.std = torch.tensor(std).view(-1, 1, 1)

    def forward(self, image):
        return (image - self.mean) / self.std


def build(mean, std):
    return nn.Sequential(Normalization(mean, std=std).to(device))


mean = torch.tensor([0.485, 0.456, 0.406]).to(device)
model = build(mean, torch.tensor([0.229, 0.224, 0.225]).to(device))
print(model(torch.ones(1, 3, 4, 4).to(device)).sum())
