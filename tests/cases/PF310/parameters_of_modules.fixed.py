"""numpy reads parameters of a module that was placed, by its attribute, in a loop, of its state."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)


def shown(net):
    for name, p in net.named_parameters():
        print(name, p.detach().cpu().numpy().sum(), p.grad.cpu().numpy().sum())  # want: PF310 # want: PF310


class Holder:
    def __init__(self):
        self.net = Net().to(device)

    def weights(self):
        return self.net.fc.weight.detach().cpu().numpy()  # want: PF310


net = Net().to(device)
net(torch.ones(1, 2).to(device)).sum().backward()
shown(net)
print(net.fc.bias.data.cpu().numpy())  # want: PF310
print([p.data.cpu().numpy().shape for p in net.parameters()])  # want: PF310
print(net.state_dict()["fc.weight"].cpu().numpy())  # want: PF310
print({name: value.cpu().numpy().sum() for name, value in net.state_dict().items()})  # want: PF310
print(Holder().weights().shape)
