# A legacy type takes no tensor of a device: the mask is made by a function that does.
# run: device = "cuda" if torch.cuda.is_available() else "cpu"; print(Net().to(device)(torch.tensor([[1, 0], [2, 3]], device=device)).sum().item())
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.emb = nn.Embedding(4, 3)

    def forward(self, x):
        h = self.emb(x)
        mask = torch.BoolTensor(x == 0)  # want: PF304
        return h * ~mask.unsqueeze(-1)
