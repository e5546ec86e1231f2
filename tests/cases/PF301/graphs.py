# Batches of a loader of torch_geometric move as a whole.
import torch
import torch.nn.functional as F
from torch_geometric.datasets import Planetoid
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(2, 3)

    def forward(self, x, edges):
        return self.conv(x, edges)


net = Net().to(device)
loader = DataLoader(Planetoid("data", "Cora"), batch_size=1)
for data in loader:  # want: PF301
    out = net(data.x, data.edge_index)
    loss = F.cross_entropy(out, data.y) / data.num_nodes
    print(f"{loss.item():.4f}")
