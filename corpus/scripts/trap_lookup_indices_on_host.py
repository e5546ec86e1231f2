"""Some elements of the batch are for the host: indices into lists, names, sizes, numbers."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

NAMES = ["ant", "bee", "cow", "dog", "elk", "fox"]


class Named(Dataset):
    def __init__(self):
        self.features = torch.randn(len(NAMES), 4)

    def __len__(self):
        return len(NAMES)

    def __getitem__(self, i):
        return self.features[i], i, NAMES[i], {"size": i + 1}


def main():
    torch.manual_seed(149)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = nn.Linear(4, 1).to(device)
    seen = {}
    with torch.no_grad():
        for x, index, names, meta in DataLoader(Named(), batch_size=3):
            x = x.to(device)
            scores = model(x).squeeze(1).cpu()
            for i, name, size, score in zip(index.tolist(), names, meta["size"].numpy(), scores):
                seen[i] = (name, int(size), round(score.item(), 5))
    for i in sorted(seen):
        print(NAMES[i], seen[i])


if __name__ == "__main__":
    main()
