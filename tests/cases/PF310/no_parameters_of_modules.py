"""Parameters that are copied or on the CPU, and what is no parameter."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.weight = torch.ones(3)

    def forward(self, x):
        return self.fc(x)


net = Scaled()
first = net.fc.weight.data.numpy().copy()
net.to(device)
print(first, net.weight.numpy(), net.fc.weight.data.cpu().numpy())
for p in net.parameters():
    p = p.cpu()
    print(p.data.numpy())
    print(p.detach().numpy())
state = {name: value.cpu() for name, value in net.state_dict().items()}
for value in state.values():
    print(value.numpy())
copies = [p.data.cpu() for p in net.parameters()]
print([copy.numpy() for copy in copies])
net = net.cpu()
print(net.fc.weight.detach().numpy(), [p.data.numpy() for p in net.parameters()])
