import os

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms
from tqdm import tqdm


class SegDataset(Dataset):
    def __init__(self, root):
        self.images = sorted(os.listdir(os.path.join(root, "images")))
        self.root = root
        self.to_tensor = transforms.ToTensor()

    def __len__(self):
        return len(self.images)

    def __getitem__(self, idx):
        image = Image.open(os.path.join(self.root, "images", self.images[idx])).convert("RGB")
        mask = Image.open(os.path.join(self.root, "masks", self.images[idx]))
        return {
            "image": self.to_tensor(image),
            "mask": torch.as_tensor(np.array(mask), dtype=torch.long),
        }


class UNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.enc = nn.Conv2d(3, 16, 3, padding=1)
        self.dec = nn.Conv2d(16, classes, 1)

    def forward(self, x):
        return self.dec(torch.relu(self.enc(x)))


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(SegDataset("data"), batch_size=4, shuffle=True, num_workers=4)
    model = UNet(3)
    model.to(device)
    optimizer = torch.optim.Adam(model.parameters())
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1):
        pbar = tqdm(loader)
        for batch in pbar:
            images = batch["image"]  # want: PF301
            masks = batch["mask"]  # want: PF301
            loss = criterion(model(images), masks)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            pbar.set_postfix(loss=loss.item())


if __name__ == "__main__":
    main()
# files: data/images/a.png data/images/bb.png data/images/ccc.png
