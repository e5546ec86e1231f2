#!/usr/bin/env python
# coding: utf-8

# # Linear regression, exported from a notebook

# In[1]:


import torch
import torch.nn as nn
from torch.utils.data import TensorDataset, DataLoader


# In[2]:


torch.manual_seed(0);
X = torch.randn(48, 2)
y = X @ torch.tensor([[3.0], [-1.0]]) + 2
dl = DataLoader(TensorDataset(X, y), batch_size=12)


# In[3]:


model = nn.Linear(2, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.cuda();


# In[4]:


for epoch in range(4):
    for xb, yb in dl:
        pred = model(xb)
        loss = criterion(pred, yb)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(f"epoch {epoch}: {loss.item():.4f}")


# In[5]:


w, b = model.weight.detach().cpu().flatten(), model.bias.item()
print([round(v, 2) for v in w.tolist()], round(b, 2))
