"""Places nothing at all: it is a program for the host, and right."""
import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(137)
EMBEDDING_DIM = 6


class NGram(nn.Module):
    def __init__(self, vocab_size):
        super().__init__()
        self.embeddings = nn.Embedding(vocab_size, EMBEDDING_DIM)
        self.linear = nn.Linear(2 * EMBEDDING_DIM, vocab_size)

    def forward(self, inputs):
        return self.linear(self.embeddings(inputs).flatten(1))


contexts = torch.randint(0, 15, (40, 2))
targets = torch.randint(0, 15, (40,))
loader = DataLoader(TensorDataset(contexts, targets), batch_size=10)
model = NGram(15)
optimizer = optim.SGD(model.parameters(), lr=0.5)
loss_function = nn.CrossEntropyLoss()

for epoch in range(3):
    total_loss = 0
    for context, target in loader:
        model.zero_grad()
        loss = loss_function(model(context), target)
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
    print(epoch, round(total_loss, 5))
