# Skip-gram word vectors with Adagrad.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(13)

corpus = "the cat sat on the mat and the dog sat on the rug while the cat slept".split()
vocab = sorted(set(corpus))
index = {word: i for i, word in enumerate(vocab)}

pairs = []
for i, word in enumerate(corpus):
    for j in range(max(0, i - 2), min(len(corpus), i + 3)):
        if i != j:
            pairs.append((index[word], index[corpus[j]]))

device = "cuda" if torch.cuda.is_available() else "cpu"


class SkipGram(nn.Module):
    def __init__(self, vocab_size, dim):
        super().__init__()
        self.inner = nn.Embedding(vocab_size, dim)
        self.outer = nn.Linear(dim, vocab_size, bias=False)

    def forward(self, centre):
        return self.outer(self.inner(centre))


net = SkipGram(len(vocab), 8)
optimizer = torch.optim.Adagrad(net.parameters(), lr=0.2)
net.to(device)

centres = torch.tensor([c for c, _ in pairs]).to(device)
contexts = torch.tensor([o for _, o in pairs]).to(device)

for step in range(25):
    loss = F.cross_entropy(net(centres), contexts)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 8 == 0:
        print(step, round(loss.item(), 5))
