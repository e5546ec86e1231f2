# The wrap under a flag of CUDA, with a branch for the CPU.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")


def main():
    torch.manual_seed(21)
    model = nn.Linear(6, 2)
    if use_cuda:
        model = nn.DataParallel(model)
        print("on GPUs")
    model = model.to(device)
    loader = DataLoader(TensorDataset(torch.randn(96, 6), torch.randint(0, 2, (96,))), batch_size=16, shuffle=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, nesterov=True, momentum=0.5)
    for epoch in range(1, 3):
        for data, target in loader:
            data, target = data.to(device), target.to(device)
            optimizer.zero_grad()
            loss = nn.functional.nll_loss(nn.functional.log_softmax(model(data), dim=1), target)
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "loss", loss.item())


if __name__ == "__main__":
    main()
