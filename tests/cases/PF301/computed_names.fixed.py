# options: unsafe
# run: torch.manual_seed(0)
# run: batches = [(torch.ones(2, 3), torch.ones(2, 1))]
# run: print("%.4f" % Trainer().score(batches))
"""`setattr` with a computed name is assumed to set something else than the model."""
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.model = torch.nn.Linear(3, 1).to(self.device)

    def restore(self, saved):
        for key, value in saved.items():
            setattr(self, key, value)

    def score(self, loader):
        total = 0
        for x, y in loader:  # want: PF301 unsafe, warning
            x = x.to(self.device)
            y = y.to(self.device)
            total += F.mse_loss(self.model(x), y).item()
        return total
