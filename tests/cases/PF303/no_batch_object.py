# A batch that no module is called with may be an object that moves in place; so may one whose parts are read.
import torch
from data import graphs

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 2).to(device)
for batch in torch.utils.data.DataLoader(graphs, batch_size=2):
    batch.to(device)
    print(batch)
    print(model(batch.nodes))
