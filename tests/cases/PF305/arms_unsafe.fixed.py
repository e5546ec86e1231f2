# options: unsafe
import torch
import torch.nn as nn


class Scale(nn.Module):
    def __init__(self, learn):
        super().__init__()
        self.fc = nn.Linear(8, 4)
        if learn:
            self.scale = nn.Parameter(torch.ones(4))
        else:
            self.register_buffer("scale", torch.ones(4), persistent=False)  # want: PF305 unsafe

    def forward(self, x):
        return self.fc(x) * self.scale


torch.manual_seed(1)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
for learn in (True, False):
    net = Scale(learn).to(device)
    print(f"{net(torch.ones(2, 8).to(device)).sum().item():.4f}")
