import torch
import torch.nn as nn


class Trainer(object):
    """Trains what it is given."""

    def __init__(self, model, device):
        self.model = model
        print(sum(p.numel() for p in self.model.parameters()))
        if torch.cuda.device_count() > 1:
            self.model = nn.DataParallel(model)  # want: PF102
        self.model = self.model.to(device)


torch.manual_seed(9)
trainer = Trainer(nn.Linear(3, 1), "cuda" if torch.cuda.is_available() else "cpu")
print(trainer.model(torch.ones(1, 3).to(next(trainer.model.parameters()).device)).item())
