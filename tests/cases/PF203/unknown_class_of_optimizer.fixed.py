# options: unsafe
import torch
import torch.nn as nn
from optimizers import Lookahead


def main(checkpoint, device):
    model = nn.Linear(6, 2)
    model.to(device)
    optimizer = Lookahead(model.parameters(), lr=0.1)  # want: PF203 unsafe, warning
    optimizer.load_state_dict(checkpoint)
    return optimizer
# run: import drive
# run: first = Lookahead(nn.Linear(6, 2).parameters())
# run: drive.step(first)
# run: drive.step(main(first.state_dict(), drive.device))
