# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Boxes(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, i):
        return torch.rand(3, 8, 8), {"boxes": torch.rand(i % 3 + 1, 4), "labels": torch.ones(i % 3 + 1)}


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)

    def forward(self, images, targets):
        feats = [self.conv(im[None]).mean() for im in images]
        return {"loss": sum(feats) + sum(t["boxes"].sum() for t in targets)}


loader = DataLoader(Boxes(), batch_size=2, collate_fn=lambda rows: tuple(zip(*rows)))
model = Detector().to(device)
for images, targets in loader:
    images = [image.to(device) for image in images]
    targets = [{k: v.to(device) for k, v in t.items()} for t in targets]
    print(model(images, targets)["loss"].shape)
