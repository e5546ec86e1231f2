import torch
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from transformers import AutoTokenizer

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
inputs = tokenizer(["a b"], return_tensors="pt")
inputs.to(device)
graph = Data(x=torch.ones(3, 2), edge_index=torch.tensor([[0, 1], [1, 2]]))
graph.to(device)
for data in DataLoader([graph], batch_size=1):
    data.to(device)
    print(data.x.device)
