import torch
from torch import nn


def benchmark(net, batch, device):
    net = net.to(device)
    inputs = torch.randn(batch, 3, 8, 8).to(device)  # want: PF302
    with torch.no_grad():
        for _ in range(3):
            net(inputs)
    return net(inputs).shape


class Demo:
    def __init__(self):
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.net = nn.Conv2d(3, 2, 3).to(self.device)
        self.fixed = torch.randn(2, 3, 8, 8).to(self.device)  # want: PF302

    def show(self):
        try:
            probe = torch.ones(1, 3, 8, 8, device=self.device)  # want: PF302
            print(self.net(probe).sum().item() > -1e9)
            print(self.net(self.fixed).shape)
        except RuntimeError as error:
            print("failed", error)


if __name__ == "__main__":
    torch.manual_seed(0)
    print(benchmark(nn.Conv2d(3, 4, 3), 2, torch.device("cuda" if torch.cuda.is_available() else "cpu")))
    Demo().show()
    model = nn.Linear(5, 2)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    sample = torch.rand(4, 5).to(device)  # want: PF302
    target = torch.tensor([0, 1, 1, 0], device=device)  # want: PF302
    model.to(device)
    weights = torch.tensor([0.3, 0.7], device=device)  # want: PF302
    out = model(sample)
    out = out * weights
    print(nn.functional.cross_entropy(out, target).item() > 0, out[0, 0] * weights[1] is not None)
