# options: unsafe
# `torch.tensor` makes a tensor on the CPU of a list, and copies a tensor of the CPU there.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Normalization(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.mean = torch.tensor(mean).view(-1, 1, 1)  # want: PF305 unsafe
        self.std = torch.tensor(std).view(-1, 1, 1)  # want: PF305 unsafe

    def forward(self, image):
        return (image - self.mean) / self.std


def build(mean, std):
    return nn.Sequential(Normalization(mean, std=std).to(device))


model = build([0.485, 0.456, 0.406], torch.tensor([0.229, 0.224, 0.225]))
print(model(torch.ones(1, 3, 4, 4).to(device)).sum())
