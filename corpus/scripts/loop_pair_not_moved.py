import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(2)

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print("using", device.type)

x_train = torch.randn(80, 3)
y_train = x_train @ torch.tensor([[1.5], [-2.0], [0.5]]) + 0.1 * torch.randn(80, 1)
x_valid = torch.randn(20, 3)
y_valid = x_valid @ torch.tensor([[1.5], [-2.0], [0.5]])

train_dl = DataLoader(TensorDataset(x_train, y_train), batch_size=20, shuffle=True)
valid_dl = DataLoader(TensorDataset(x_valid, y_valid), batch_size=20)

model = nn.Linear(3, 1).to(device)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss_fn = nn.MSELoss()

for epoch in range(4):
    model.train()
    for xb, yb in train_dl:
        loss = loss_fn(model(xb), yb)
        loss.backward()
        opt.step()
        opt.zero_grad()

    model.eval()
    with torch.no_grad():
        valid_loss = 0.0
        for xb, yb in valid_dl:
            valid_loss += loss_fn(model(xb), yb).item()
    print(f"{epoch}: {valid_loss:.6f}")
