import torch
import torch.nn as nn


def main():
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loss_fn = nn.NLLLoss(torch.tensor([1.0, 3.0])).to(device)  # want: PF307
    model = nn.Sequential(nn.Linear(3, 2), nn.LogSoftmax(dim=1)).to(device)
    x, y = torch.randn(4, 3).to(device), torch.tensor([0, 1, 1, 0]).to(device)
    print(round(loss_fn(model(x), y).item(), 4))


main()
