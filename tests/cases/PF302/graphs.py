# Graphs of torch_geometric: an item of a data set, and one that the code makes. They move in place, so a use as an index elsewhere makes the move unsafe.
# options: unsafe
import torch
import torch.nn.functional as F
from torch_geometric.data import Data
from torch_geometric.datasets import Planetoid
from torch_geometric.nn import GCNConv
from torch_geometric.transforms import NormalizeFeatures

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


class Net(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.conv = GCNConv(features, 3)

    def forward(self, data):
        return self.conv(data.x, data.edge_index)


class Parts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(2, 3)

    def forward(self, x, edges):
        return self.conv(x, edges)


dataset = Planetoid("data", "Cora", transform=NormalizeFeatures())
data = dataset[0]
net = Net(dataset.num_features).to(device)
out = net(data)  # want: PF302 unsafe
loss = F.cross_entropy(out[data.train_mask], data.y[data.train_mask])  # want: PF302 unsafe
print(f"{loss.item():.4f}", data.num_nodes)

parts = Parts().to(device)
graph = Data(x=torch.ones(3, 2), edge_index=torch.tensor([[0, 1], [1, 2]]))
print(f"{parts(graph.x, graph.edge_index).sum().item():.4f}")  # want: PF302  # want: PF302
