"""A tensor whose device the function reads for other values: what meets it takes that device too, also a value made elsewhere."""
# run: device = "cuda" if torch.cuda.is_available() else "cpu"
# run: expert = Expert().to(device)
# run: features = [torch.ones(2, 3, device=device), torch.ones(3, 3, device=device)]
# run: print(expert(features, [torch.ones(1), torch.ones(1)]).sum().item())
# run: print(expert.scaled(torch.ones(2, 2, device=device), [1.0, 2.0]).sum().item())
import torch
from torch.nn.utils.rnn import pad_sequence


class Model(torch.nn.Module):
    def forward(self, x, mask):
        return x.sum(dim=(1, 2)) + mask.sum(dim=1)


class Expert(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Model()
        self.scale = torch.nn.Linear(3, 3, bias=False)

    def forward(self, features, labels):
        padded = pad_sequence(features, batch_first=True)
        mask = pad_sequence([torch.ones(len(f)) for f in features], batch_first=True)
        mask = (1.0 - mask) * -100.0
        padded = self.scale(padded)
        logits = self.model(padded, mask.cuda())  # want: PF401
        labels = torch.stack(labels).to(padded.device)
        return logits - labels.sum()

    def scaled(self, x, weights):
        total = x.sum(dim=1)
        weights = read(weights)
        total = total * weights.cuda()  # want: PF401
        return total + torch.ones(2).to(total.device)


def read(weights):
    return torch.tensor(weights)
