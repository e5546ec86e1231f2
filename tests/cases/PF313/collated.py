# The function that collates the samples places them: the loader cannot pin the batches.
import torch
from torch.utils.data import DataLoader

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def collate(samples):
    return torch.stack(samples).to(device)


def pairs(samples):
    x = torch.stack([sample[0] for sample in samples]).cuda()
    return {"x": x, "size": len(samples)}


def on_cpu(samples):
    return torch.stack(samples).to("cpu")


samples = [torch.ones(3) for _ in range(8)]
loader = DataLoader(samples, batch_size=4, collate_fn=collate, pin_memory=True)  # want: PF313 report
for x in loader:
    print(x.sum())
for batch in DataLoader([(x, 1) for x in samples], batch_size=4, collate_fn=pairs, pin_memory=True):  # want: PF313 report
    print(batch["x"].sum())
for x in DataLoader(samples, batch_size=4, collate_fn=on_cpu, pin_memory=True):
    print(x.sum())
for x in DataLoader(samples, batch_size=4, collate_fn=collate):
    print(x.sum())
for x in DataLoader(samples, batch_size=4, collate_fn=collate, pin_memory=False):
    print(x.sum())


def given(place, gather):
    def move(samples):
        return torch.stack(samples).to(place)

    for x in DataLoader(samples, batch_size=4, collate_fn=move, pin_memory=True):
        print(x.sum())
    for x in DataLoader(samples, batch_size=4, collate_fn=gather, pin_memory=True):
        print(x.sum())
