# options: unsafe
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 6, batch_first=True)

    def init_hidden(self, batch):
        return (
            torch.zeros(1, batch, 6, device=next(self.rnn.parameters()).device),
            torch.zeros(1, batch, 6, device=next(self.rnn.parameters()).device),
        )  # want: PF308 unsafe # want: PF308 unsafe

    def forward(self, x):
        out, _ = self.rnn(x, self.init_hidden(x.size(0)))
        return out


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Encoder().to(device)
x = torch.randn(2, 5, 4).to(device)
print(f"{net(x).sum().item():.4f}")
