# rules: PF301, PF302, PF303
import torch
import torch.nn.functional as F
from torch_geometric.datasets import TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TUDataset("data", "MUTAG"), batch_size=4)
model = GCNConv(7, 2).to(device)
for data in loader:
    data.to(device)
    loss = F.cross_entropy(model(data.x, data.edge_index), data.y)
