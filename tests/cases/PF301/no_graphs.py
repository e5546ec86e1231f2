# The batch of graphs is moved, in place or not, by the module, or by code that gets it; a number of it is no tensor.
import torch
import torch.nn.functional as F
from elsewhere import put
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(2, 3)

    def forward(self, data):
        data = data.to(device)
        return self.conv(data.x, data.edge_index)


net = Net().to(device)
conv = GCNConv(2, 3).to(device)
loader = DataLoader(TUDataset("data", "MUTAG"), batch_size=4)
for data in loader:
    data = data.to(device)
    loss = F.cross_entropy(conv(data.x, data.edge_index), data.y) * data.num_graphs
for data in loader:
    loss = net(data).sum() / data.num_graphs
for data in loader:
    put(data, device)
    loss = conv(data.x, data.edge_index).sum()
for data in loader:
    x, edges = data.x.to(device), data.edge_index.to(device)
    loss = conv(x, edges).sum()
