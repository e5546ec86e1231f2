# Inputs are the targets, and the batch is flattened.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(16, 6), nn.ReLU())
        self.decoder = nn.Linear(6, 16)

    def forward(self, x):
        return self.decoder(self.encoder(x))


def main():
    torch.manual_seed(28)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.rand(96, 1, 4, 4)), batch_size=16, shuffle=True)
    model = AutoEncoder().to(device)
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(2):
        total = 0.0
        for (images,) in loader:
            images = images.view(images.size(0), -1).to(device)
            restored = model(images)
            loss = nn.functional.binary_cross_entropy_with_logits(restored, images)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * images.size(0)
        print(f"{epoch} {total / len(loader.dataset):.5f}")


if __name__ == "__main__":
    main()
