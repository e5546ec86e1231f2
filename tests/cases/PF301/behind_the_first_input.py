# options: unsafe
# run: torch.manual_seed(0)
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: net = torch.nn.Bilinear(3, 2, 1)
# run: batches = [{"words": torch.ones(2, 3), "context": torch.ones(2, 2), "lengths": torch.ones(2)}]
# run: print("%.4f" % Topics(net, device).score(batches))
# run: print(Topics(Packed(), device).counted(batches))
"""Two parts of one batch are the inputs of a model that is not seen, and one is moved. Lengths may be meant to stay."""
import torch


class Packed(torch.nn.Module):
    def forward(self, words, lengths):
        return words.sum().item() + sum(lengths.tolist())


class Topics:
    def __init__(self, model, device):
        self.model = model.to(device)
        self.device = device

    def load(self, saved):
        for key, value in saved.items():
            setattr(self, key, value)

    def score(self, loader):
        total = 0
        for batch in loader:
            words = batch["words"].to(self.device)
            context = batch["context"]  # want: PF301 unsafe, warning
            total += self.model(words, context).sum().item()
        return total

    def counted(self, loader):
        total = 0
        for batch in loader:
            words = batch["words"].to(self.device)
            lengths = batch["lengths"]
            total += self.model(words, lengths)
        return total
