# The tensors that an operator gives together are attributes of its result: they are on the device of its operands.
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
target = torch.nn.Linear(3, 2).to(device)
states = torch.ones(4, 3).to(device)
rewards = torch.ones(4, device=device)  # want: PF302
scale = torch.ones(2, device=device)  # want: PF302
y = rewards + target(states).max(1).values
best = torch.topk(target(states), 2)
z = best.values * scale
loss = torch.nn.functional.mse_loss(target(states).max(1).values, y)
print(round(loss.item(), 4), z.shape)
