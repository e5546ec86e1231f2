# As segmentation is often written: an encoder and a decoder, masks, a Dice score in the validation.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset, random_split
from tqdm import tqdm


class Shapes(Dataset):
    def __init__(self, count):
        self.images = torch.randn(count, 1, 8, 8)
        self.masks = (self.images > 0).long().squeeze(1)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index], self.masks[index]


class TinyUNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.ReLU())
        self.middle = nn.Conv2d(4, 4, 3, padding=1)
        self.up = nn.Conv2d(8, 2, 1)

    def forward(self, x):
        skip = self.down(x)
        x = nn.functional.interpolate(self.middle(nn.functional.max_pool2d(skip, 2)), scale_factor=2)
        return self.up(torch.cat([skip, x], dim=1))


def evaluate(net, loader, device):
    net.eval()
    score = 0.0
    with torch.no_grad():
        for image, mask in loader:
            image, mask = image.to(device), mask.to(device)
            predicted = net(image).argmax(dim=1)
            overlap = (predicted * mask).sum().item()
            score += 2 * overlap / max((predicted.sum() + mask.sum()).item(), 1)
    net.train()
    return score / len(loader)


def train_net(net, device, epochs=2, batch_size=8, lr=0.05, val_percent=0.25):
    dataset = Shapes(64)
    n_val = int(len(dataset) * val_percent)
    n_train = len(dataset) - n_val
    train_set, val_set = random_split(dataset, [n_train, n_val], generator=torch.Generator().manual_seed(0))
    train_loader = DataLoader(train_set, shuffle=True, batch_size=batch_size)
    val_loader = DataLoader(val_set, shuffle=False, batch_size=batch_size)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=lr, weight_decay=1e-8)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        net.train()
        epoch_loss = 0
        with tqdm(total=n_train, desc=f"Epoch {epoch + 1}/{epochs}", unit="img") as bar:
            for images, masks in train_loader:
                images = images.to(device)
                masks = masks.to(device)
                loss = criterion(net(images), masks)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                bar.update(images.shape[0])
                epoch_loss += loss.item()
        print(f"epoch {epoch + 1} loss {epoch_loss / len(train_loader):.4f} dice {evaluate(net, val_loader, device):.4f}")
        torch.save(net.state_dict(), f"CP_epoch{epoch + 1}.pth")


def main():
    torch.manual_seed(52)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = TinyUNet()
    if torch.cuda.device_count() > 1:
        net = nn.DataParallel(net)
    net.to(device)
    train_net(net, device)


if __name__ == "__main__":
    main()
