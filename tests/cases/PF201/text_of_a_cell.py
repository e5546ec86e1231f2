# The comment below the marker of a cell is the text of the cell: no line comes between them.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# %%
# The model.
model = nn.Linear(4, 2)
# %%
# The optimizer and its scheduler.
optimizer = torch.optim.Adam(model.parameters())  # want: PF201
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)

model.to(device)
# %%
# The training.
loss = model(torch.ones(3, 4, device=device)).sum()
loss.backward()
optimizer.step()
print(loss.item() * 0)
