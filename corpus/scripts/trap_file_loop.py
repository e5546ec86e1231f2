"""Loops over files, lines and words; the tensors made from them are placed where they are made."""
import os
import tempfile

import torch
from torch import nn

torch.manual_seed(106)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def write_corpus(folder):
    for i, text in enumerate(("a b a c\nb b a\n", "c c c b\na a b\n")):
        with open(os.path.join(folder, "part%d.txt" % i), "w") as handle:
            handle.write(text)


def main():
    with tempfile.TemporaryDirectory() as folder:
        write_corpus(folder)
        vocab = {}
        lines = []
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name)) as loader:
                for line in loader:
                    words = line.split()
                    for word in words:
                        vocab.setdefault(word, len(vocab))
                    lines.append([vocab[w] for w in words])

    model = nn.Sequential(nn.Embedding(len(vocab), 4), nn.Linear(4, len(vocab))).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for epoch in range(3):
        total = 0.0
        for ids in lines:
            tokens = torch.tensor(ids, device=device)
            loss = nn.functional.cross_entropy(model(tokens[:-1]), tokens[1:])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(epoch, round(total, 5))


if __name__ == "__main__":
    main()
