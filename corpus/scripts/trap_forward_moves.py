"""The model moves its own inputs, so un-moved batches are right."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class SelfPlacing(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 6)
        self.out = nn.Linear(6, 2)

    @property
    def device(self):
        return next(self.parameters()).device

    def forward(self, tokens, labels):
        tokens = tokens.to(self.device)
        labels = labels.to(self.device)
        logits = self.out(self.embed(tokens).mean(1))
        return nn.functional.cross_entropy(logits, labels)


def main():
    torch.manual_seed(102)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(TensorDataset(torch.randint(0, 20, (24, 4)), torch.randint(0, 2, (24,))), batch_size=8)
    model = SelfPlacing().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
    for epoch in range(2):
        for tokens, labels in loader:
            loss = model(tokens, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "loss", round(loss.item(), 5))


if __name__ == "__main__":
    main()
