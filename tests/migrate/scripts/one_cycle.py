# The learning rate changes in each step.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

EPOCHS = 2


def main():
    torch.manual_seed(27)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(96, 4), torch.randint(0, 2, (96,)))
    loader = DataLoader(dataset=data, batch_size=16, shuffle=True, num_workers=0, pin_memory=False)
    model = nn.Linear(4, 2).to(device)
    model = nn.DataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.5, epochs=EPOCHS, steps_per_epoch=len(loader))
    for epoch in range(EPOCHS):
        for i, (x, y) in enumerate(loader):
            loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            if (i + 1) % 3 == 0:
                print(f"Epoch [{epoch + 1}/{EPOCHS}], Step [{i + 1}/{len(loader)}], Loss: {loss.item():.4f}")


if __name__ == "__main__":
    main()
