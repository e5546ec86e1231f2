"""A timed loop that waits for the GPU."""
import time

import torch
import torch.nn as nn

torch.manual_seed(0)
torch.cuda.manual_seed_all(0)
torch.cuda.reset_peak_memory_stats()

model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(32, 8).cuda(), torch.randint(2, (32,)).cuda()

torch.cuda.synchronize()
start = time.perf_counter()
for step in range(3):
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch.cuda.synchronize()  # wait for the step
    elapsed = time.perf_counter() - start
    print(f"step {step}: {loss.item():.5f}", elapsed < 600)
torch.cuda.empty_cache()
