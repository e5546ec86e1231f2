"""Fine-tune the head of a frozen feature extractor; the loader's batch is unpacked in the body."""
import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset, random_split


class Extractor(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(14, 10), nn.ReLU())

    def forward(self, x):
        return self.layers(x)


def main():
    torch.manual_seed(21)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    dataset = TensorDataset(torch.randn(72, 14), torch.randint(0, 3, (72,)))
    train_set, val_set = random_split(dataset, [54, 18])
    train_loader = DataLoader(train_set, batch_size=9)
    val_loader = DataLoader(val_set, batch_size=9)

    backbone = Extractor().to(device)
    for p in backbone.parameters():
        p.requires_grad = False
    head = nn.Linear(10, 3).to(device)
    optimizer = optim.Adam(head.parameters(), lr=0.02)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(2):
        for batch in train_loader:
            inputs, labels = batch
            optimizer.zero_grad()
            logits = head(backbone(inputs))
            loss = criterion(logits, labels)
            loss.backward()
            optimizer.step()
        hits = 0
        for batch in val_loader:
            inputs, labels = batch
            with torch.no_grad():
                hits += (head(backbone(inputs)).argmax(-1) == labels).sum().item()
        print(f"epoch {epoch} loss {loss.item():.5f} hits {hits}")


if __name__ == "__main__":
    main()
