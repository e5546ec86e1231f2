# message: RuntimeError: Input and hidden tensors are not at the same device, found input tensor at cuda:0 and hidden tensor at cpu
# rules: PF308
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(4, 3, batch_first=True)

    def forward(self, x):
        hidden = torch.zeros(1, x.size(0), 3)
        return self.rnn(x, hidden)[0]


model = Net().to(device)
model(torch.randn(2, 5, 4).to(device))
