# A scheduler for each epoch, and clipped gradients.
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(6)
device = "cuda" if torch.cuda.is_available() else "cpu"
data = TensorDataset(torch.randn(80, 10), torch.randn(80, 1))


def main():
    loader = DataLoader(data, batch_size=16, shuffle=True, drop_last=True)
    model = nn.Sequential(nn.Linear(10, 10), nn.ReLU(), nn.Linear(10, 1)).to(device)
    model = nn.DataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    loss_function = nn.SmoothL1Loss()
    for epoch in range(2):
        for x, y in loader:
            x = x.to(device)
            y = y.to(device)
            optimizer.zero_grad()
            loss = loss_function(model(x), y)
            loss.backward()
            clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()
        scheduler.step()
        print("lr", scheduler.get_last_lr()[0], "loss", round(loss.item(), 4))


if __name__ == "__main__":
    main()
