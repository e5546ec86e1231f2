"""The same item is copied for numpy elsewhere."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)


def show(batch, first):
    if first:
        return batch["input"].cpu().numpy()  # want: PF310
    return batch["input"].detach().cpu().numpy()


def rows(scores):
    return scores[0].cpu().numpy(), [scores[i].cpu().numpy() for i in range(2)]  # want: PF310


x = torch.ones(4, 3).to(device)
print(show({"input": x}, True).shape, show({"input": x}, False).shape, rows(net(x).detach())[0].shape)
