# `forward` makes a tensor on the CPU and returns it: the loss gets it with a tensor on the device.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Contrast(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(3, 4)

    def forward(self, x):
        logits = self.encoder(x)
        labels = torch.zeros(logits.shape[0], dtype=torch.long)
        return logits, labels


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.step = nn.Linear(3, 3)

    def forward(self, x, length):
        outputs = torch.zeros(x.size(0), length, 3)
        for t in range(length):
            x = self.step(x)
            outputs[:, t] = x
        return outputs


torch.manual_seed(0)
contrast = Contrast().to(device)
decoder = Decoder().to(device)
criterion = nn.CrossEntropyLoss()
x = torch.ones(4, 3).to(device)
output, target = contrast(x)
loss = criterion(output, target)  # want: PF302
loss.backward()
wanted = torch.ones(4, 2, 3).to(device)
decoded = decoder(x, 2)  # want: PF302
nn.functional.mse_loss(decoded, wanted).backward()
print(decoder.step.weight.grad.sum())
