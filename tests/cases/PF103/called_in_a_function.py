import torch
import torch.nn as nn


def evaluate(model, batches, device):
    for batch in batches:
        print(model(batch.to(device)).sum().item())


torch.manual_seed(7)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(nn.Linear(6, 2))  # want: PF103
evaluate(model, [torch.ones(1, 6), torch.zeros(2, 6)], device)
