# A `forward` that asks for the length of its input may get it on any device: it still needs it where its layers are.
# given: rows = [1.0, 2.0, 3.0]
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(1, 1)

    def forward(self, sequence):
        return self.fc(sequence.view(len(sequence), -1))[-1]


class Forecast:
    def __init__(self):
        self.net = Net().to(device)

    def predict(self, values):
        sequence = torch.FloatTensor(values)  # want: PF302
        return self.net(sequence).item()


print(Forecast().predict(rows))
