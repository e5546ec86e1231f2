# A new string gets the quotes that most strings of the file have; docstrings and strings with quotes inside do not count.
# run: Net('a')(torch.ones(2))
"""A docstring in three double quotes."""
import torch


class Net(torch.nn.Module):
    """Another one."""

    def __init__(self, name):
        super().__init__()
        device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
        self.layer = torch.nn.Linear(2, 2).to(device)  # want: PF401
        self.names = [name, 'x', "it's", "they're"]

    def forward(self, x):
        """And another one."""
        print('input', "x's shape", f"{'x'}")
        return self.layer(x.to(self.layer.weight.device))
