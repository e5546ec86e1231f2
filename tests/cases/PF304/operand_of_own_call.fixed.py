# The device is that of the tensor whose dtype the call reads, made of a tensor that the same fix moves.
import torch
from torch import nn


class Bags(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("members", torch.tensor([[0, 1], [0, 2], [1, 3], [2, 4]]))
        self.bag = nn.EmbeddingBag(5, 3)

    def forward(self, ids=None):
        if ids is None:
            chosen = torch.arange(3, device=self.members.device)  # want: PF304
        else:
            chosen, _ = ids.unique(return_inverse=True)
        kept = torch.isin(self.members[:, 0], test_elements=chosen)
        parts = self.members[kept]
        number, size = parts[:, 0].unique(return_counts=True)
        starts = torch.zeros_like(chosen)
        starts[torch.isin(chosen, number)] = size
        starts = torch.cumsum(starts, dim=0)[:-1]
        starts = torch.cat(
            [torch.zeros(1, dtype=starts.dtype, device=starts.device), starts]
        )  # want: PF304
        return self.bag(parts[:, 1], starts)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Bags().to(device)
print(f"{net().sum().item():.4f} {net(torch.tensor([0, 2]).to(device)).sum().item():.4f}")
