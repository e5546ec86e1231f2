# options: unsafe
# run: torch.manual_seed(0)
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: batches = [(torch.ones(2, 3), torch.ones(2, 1))]
# run: print("%.4f" % Trainer(torch.nn.Linear(3, 1), device).score(batches))
"""A method moves the targets that the loop gives to it; the inputs stay where they arrive."""
import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, model, device):
        self.model = model.to(device)
        self.device = device

    def cast(self, targets):
        return targets.float().to(self.device)

    def score(self, loader):
        total = 0
        for x, y in loader:  # want: PF301 unsafe, warning
            y = self.cast(y)
            total += F.mse_loss(self.model(x), y).item()
        return total
