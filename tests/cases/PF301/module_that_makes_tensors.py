# The forward of the model makes tensors on its device and copies results to the CPU, but moves none of its inputs.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Scores(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(4, 3)
        self.seen = []

    def forward(self, keys):
        kept = torch.tensor([0.5, 1.0, 2.0]).view(1, -1).to(device)
        found = self.rows(keys) * kept
        self.seen.append(torch.norm(found.detach()).cpu())
        return found.sum(-1)


torch.manual_seed(0)
net = Scores().to(device)
for (keys,) in DataLoader(TensorDataset(torch.arange(4)), batch_size=2):  # want: PF301
    print(["%.3f" % score for score in net(keys).tolist()])
