"""Tensors made as torch.cuda.FloatTensor(…): nothing of it runs without CUDA."""
import numpy as np
import torch
import torch.nn as nn

rng = np.random.RandomState(0)
inputs = torch.cuda.FloatTensor(rng.normal(size=(12, 5)))
targets = torch.from_numpy(rng.randint(0, 3, 12)).type(torch.cuda.LongTensor)
hidden = torch.cuda.FloatTensor(1, 12, 8).zero_()

torch.manual_seed(0)
rnn = nn.GRU(5, 8).type(torch.FloatTensor).cuda()
head = nn.Linear(8, 3).cuda()
optimizer = torch.optim.SGD([*rnn.parameters(), *head.parameters()], lr=0.1)

for step in range(3):
    output, _ = rnn(inputs.unsqueeze(0), hidden)
    loss = nn.functional.cross_entropy(head(output[0]), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"step {step}: {loss.item():.5f}")
weights = torch.cuda.DoubleTensor([0.5, 0.25, 0.25])
print((head.bias.double() * weights).sum().item())
