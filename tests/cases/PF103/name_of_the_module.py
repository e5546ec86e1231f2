import torch
from torch import nn


def main():
    torch.manual_seed(3)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net = nn.Sequential(nn.Linear(6, 2), nn.Tanh())
    model = nn.DataParallel(net, device_ids=[0, 1])  # want: PF103
    with torch.no_grad():
        out = model(torch.randn(4, 6).to(device))
    print(out.sum().item())


main()
# machines: 0,2
