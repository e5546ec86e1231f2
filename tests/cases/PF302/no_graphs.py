# Graphs that are moved, perhaps by a transform, that other code gets, or that are made of tensors of a device; numbers of a graph.
import torch
import torch.nn.functional as F
from elsewhere import placed
from torch_geometric.data import Data
from torch_geometric.datasets import Planetoid
from torch_geometric.nn import GCNConv
from torch_geometric.transforms import NormalizeFeatures, ToDevice

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(2, 3)

    def forward(self, data):
        return self.conv(data.x, data.edge_index)


class Moving(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(2, 3)

    def forward(self, data):
        data = data.to(device)
        return self.conv(data.x, data.edge_index)


net = Net().to(device)
moving = Moving().to(device)
data = Planetoid("data", "Cora")[0].to(device)
print(F.cross_entropy(net(data)[data.train_mask], data.y[data.train_mask]))

moved = Planetoid("data", "Cora")[0]
moved.to(device)
print(net(moved), moved.y.sum() + net(moved).sum())

by_transform = Planetoid("data", "Cora", transform=ToDevice(device))[0]
print(net(by_transform))

given = Planetoid("data", "Cora")[0]
placed(given)
print(net(given))

itself = Planetoid("data", "Cora", transform=NormalizeFeatures())[0]
print(moving(itself), net(data).sum() / itself.num_nodes)

x = torch.ones(3, 2, device=device)
graph = Data(x=x, edge_index=torch.tensor([[0, 1], [1, 2]], device=device))
print(net(graph))

other = Planetoid("data", "Cora")[0]
other.x = other.x.to(device)
print(net(other))
