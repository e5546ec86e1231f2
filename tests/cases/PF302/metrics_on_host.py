# rules: PF301, PF302, PF303
import torch
from torch import nn

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 3).to(device)
hits = torch.zeros(3)
preds, labels = [], []
for step in range(3):
    out = model(torch.ones(2, 4).to(device))
    truth = torch.tensor([0, 1])
    pred = out.argmax(1).cpu()
    hits[step] = (pred == truth).float().mean()
    preds.append(pred)
    labels.append(truth)
print(torch.cat(preds).eq(torch.cat(labels)).sum().item() >= 0, hits.mean().item() >= 0)
