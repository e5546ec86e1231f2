# options: unsafe
# A Parameter that is not trained is registered by its module all the same: only a warning.
# run: net = Net("cuda" if torch.cuda.is_available() else "cpu")
# run: assert "supports" in net.state_dict()
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.supports = nn.Parameter(torch.linspace(0, 1, 3).to(device), requires_grad=False)  # want: PF205 unsafe, warning
