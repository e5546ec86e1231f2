# A context of the file that places nothing leaves tensors on the CPU, and so does one that has ended.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)


class Timer:
    def __enter__(self):
        self.started = True
        return self

    def __exit__(self, *failure):
        self.started = False


with device:
    bias = torch.zeros(2)
x = torch.ones(1, 3, device=device)  # want: PF302
with Timer():
    y = torch.zeros(1, 3, device=device)  # want: PF302
print((net(x) + bias).shape, net(y).shape)
