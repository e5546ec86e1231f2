# options: unsafe
"""`torch.max` of two tensors, one of them an attribute, needs both on one device; of a dimension it does not."""
import torch
import torch.nn as nn


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = torch.Tensor([1.0])  # want: PF305 unsafe
        self.least = torch.ones(2)  # want: PF305 unsafe

    def forward(self, scores, mask):
        losses = nn.functional.binary_cross_entropy_with_logits(scores, mask, reduction="none")
        count = torch.max(torch.sum(mask), self.one)
        return torch.sum(losses) / count + torch.min(scores, self.least).sum()


torch.manual_seed(1)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loss = Masked().to(device)
print(loss(torch.ones(3, 2).to(device), torch.ones(3, 2).to(device)).item())
