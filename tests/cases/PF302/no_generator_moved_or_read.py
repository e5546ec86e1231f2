import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def windows(series, n):
    for i in range(len(series) - n):
        yield series[i : i + n]


def moved(series):
    for row in series:
        yield row.to(device)


def loop(loader):
    while True:
        for batch in loader:
            yield batch


class Reader:
    def __init__(self, series):
        self.series = series
        self.stream = windows(series, 4)

    def read(self):
        return next(self.stream)


model = nn.Linear(4, 1).to(device)
series = torch.randn(20)
for window in moved(torch.randn(3, 4)):
    print(model(window).item())
seen = list(windows(series, 4))
print(len(seen))
for window in windows(series, 4):
    print(window.numpy(), model(window.to(device)).item())
reader = Reader(series)
print(reader.read().numpy())
batches = loop(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(8, 4)), batch_size=2))
(first,) = next(batches)
print(model(first.to(device)).shape)
both = zip(windows(series, 4), range(2))
for window, number in both:
    print(number, model(window.to(device)).item())
