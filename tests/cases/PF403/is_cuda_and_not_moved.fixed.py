# The guard also tests that the moved tensor is not on a GPU: it goes where the two meet in any case.
# run: x, labels = torch.ones(3, 2, device=device), torch.tensor([0, 1, 1], device=device)
# run: print(f"{Weighted()(x, labels).item():.3f} {Several()(x).item():.3f}")
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Weighted(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = torch.tensor([1.0, 3.0])

    def forward(self, inputs, labels):
        # want: PF403
        self.alpha = self.alpha.to(inputs.device)
        alpha = self.alpha[labels.data.view(-1)]
        return (alpha * inputs.sum(1)).mean()


class Several(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = torch.tensor([1.0, 3.0])
        self.beta = torch.tensor([2.0, 3.0])

    def forward(self, inputs):
        if inputs.is_cuda and not self.alpha.is_cuda:  # want: PF403
            self.alpha = self.alpha.to(inputs.device)
            self.beta = self.beta.to(inputs.device)
        return (inputs * self.alpha * self.beta).mean()
