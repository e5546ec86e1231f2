# The dataset gives dictionaries.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Records(Dataset):
    def __init__(self, count):
        self.features = torch.randn(count, 5)
        self.labels = (self.features.sum(dim=1) > 0).long()

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return {"features": self.features[index], "label": self.labels[index]}


def main():
    torch.manual_seed(12)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(Records(96), batch_size=16, shuffle=True)
    model = nn.Sequential(nn.Linear(5, 8), nn.Sigmoid(), nn.Linear(8, 2)).to(device)
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(2):
        hits = 0
        for batch in loader:
            features = batch["features"].to(device)
            label = batch["label"].to(device)
            scores = model(features)
            loss = criterion(scores, label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            hits += (scores.argmax(dim=1) == label).sum().item()
        print(f"{epoch}: {hits / len(loader.dataset):.4f}")


if __name__ == "__main__":
    main()
