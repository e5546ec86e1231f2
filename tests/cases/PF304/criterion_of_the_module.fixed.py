import torch
from torch import nn


class Contrast(nn.Module):
    def __init__(self, temperature):
        super().__init__()
        self.temperature = temperature
        self.criterion = nn.CrossEntropyLoss()

    def forward(self, q, k):
        logits = q @ k.t() / self.temperature
        labels = torch.arange(q.size(0), device=q.device)  # want: PF304
        return self.criterion(logits, labels)


class Classified(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 3)
        self.ce = nn.CrossEntropyLoss(weight=torch.ones(3))

    def forward(self, x):
        logits = self.body(x)
        labels = torch.zeros(logits.size(0), dtype=torch.long, device=logits.device)  # want: PF304
        return self.ce(input=logits, target=labels)


class Adversarial(nn.Module):
    def __init__(self):
        super().__init__()
        self.loss = nn.BCEWithLogitsLoss()

    def forward(self, pred, real):
        if real:
            target = torch.ones(pred.size(), device=pred.device)  # want: PF304
        else:
            target = torch.zeros(pred.size(), device=pred.device)  # want: PF304
        return self.loss(pred, target)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
x = torch.randn(5, 4).to(device)
print("%.4f" % Contrast(0.5)(x, x).item())
print("%.4f" % Classified().to(device)(x).item())
gan = Adversarial()
print("%.4f %.4f" % (gan(x, True).item(), gan(x, False).item()))
