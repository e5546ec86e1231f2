# options: unsafe
# A method moves one of its tensors and gives both to a placed module; the other one is a tensor by its annotation.
# given: import torch
# given: class Pair(torch.nn.Module):
# given:     def __init__(self):
# given:         super().__init__()
# given:         self.weight = torch.nn.Parameter(torch.ones(3))
# given:     def forward(self, x, edge_index):
# given:         return self.weight * x + edge_index
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(Explainer(Pair(), device).explain(torch.ones(3), torch.ones(3)).item())
from torch import Tensor


class Explainer:
    def __init__(self, model, device):
        self.model = model
        self.device = device
        self.model.to(self.device)

    def explain(self, x: Tensor, edge_index: Tensor):
        x = x.to(self.device)
        return self.model(x, edge_index).sum()  # want: PF301 unsafe, warning
