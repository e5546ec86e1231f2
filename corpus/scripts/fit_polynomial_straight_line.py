"""Fit a sine with a third-order polynomial, full batch, no loader."""
import math

import torch

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

powers = torch.rand(200, 3)
target = torch.randn(200)

model = torch.nn.Sequential(torch.nn.Linear(3, 1), torch.nn.Flatten(0, 1)).to(device)
loss_fn = torch.nn.MSELoss(reduction="sum")

learning_rate = 1e-3
optimizer = torch.optim.RMSprop(model.parameters(), lr=learning_rate)
for t in range(200):
    y_pred = model(powers)
    loss = loss_fn(y_pred, target)
    if t % 50 == 49:
        print(t, round(loss.item(), 4))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

linear_layer = model[0]
scale = math.sqrt(3)
print(f"y = {linear_layer.bias.item():.4f} + {scale * linear_layer.weight[:, 0].item():.4f} x")
