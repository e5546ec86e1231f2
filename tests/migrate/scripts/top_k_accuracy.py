# Top-k accuracies of the batch: the samples are on the second axis of the comparison, and a list is returned.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def hits(scores, labels, ks):
    ranked = scores.topk(max(ks), 1)[1].t()
    equal = ranked.eq(labels.view(1, -1).expand_as(ranked))
    shares = []
    for k in ks:
        found = equal[:k].reshape(-1).float().sum(0)
        shares.append(found.mul_(1.0 / labels.size(0)))
    return shares


def main():
    torch.manual_seed(71)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    data = TensorDataset(torch.randn(96, 6), torch.randint(0, 5, (96,)))
    loader = DataLoader(data, batch_size=16, shuffle=True)
    held = DataLoader(TensorDataset(torch.randn(32, 6), torch.randint(0, 5, (32,))), batch_size=16)
    model = nn.DataParallel(nn.Linear(6, 5)).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        for step, (x, y) in enumerate(loader):
            x, y = x.to(device), y.to(device)
            scores = model(x)
            loss = criterion(scores, y)
            top1, top3 = hits(scores, y, (1, 3))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if step % 2 == 0:
                print("step %d: loss %.4f, "
                      "top 1 %.3f, top 3 %.3f" % (step, loss.item(), top1.item(), top3.item()))
        best = 0.0
        with torch.no_grad():
            for x, y in held:
                best += hits(model(x.to(device)), y.to(device), (1,))[0].item()
        print(f"epoch {epoch}: {best / len(held):.3f}")


if __name__ == "__main__":
    main()
