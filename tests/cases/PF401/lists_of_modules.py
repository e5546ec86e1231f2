"""What lists and dicts of the file can only hold is a module, however an item is named."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n=1):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return self.fc(x)


class Ensemble:
    def __init__(self, n, names):
        self.members = []
        for _ in range(n):
            self.members.append(Net())
        self.critics = {name: Net() for name in names}
        self.spare = []
        self.spare += [Net()]
        self.spare.extend(Net(2) for _ in range(n))
        for k in range(n):
            self.members[k].cuda()  # want: PF401
        for name in names:
            self.critics[name].cuda()  # want: PF401
        for i, member in enumerate(self.spare):
            member.cuda()  # want: PF401
            self.spare[i].cuda()  # want: PF401


def build(n):
    experts = [Net() for _ in range(n)]
    for i in range(n):
        experts[i].cuda()  # want: PF401
    return experts


def pairs(n):
    actors, critics = [], [Net()] * n
    for i in range(n):
        actors.append(Net(i + 1))
        actors[i] = actors[i].cuda()  # want: PF401
        critics[i].cuda()  # want: PF401
    for actor, critic in zip(actors, critics):
        print(len(actors), actor.fc.weight.device.type == critic.fc.weight.device.type)
    return [critics[i].cuda() for i in range(n)]  # want: PF401


def by_name():
    parts = {"encoder": Net(), "decoder": Net(2)}
    parts["head"] = Net(3)
    for key in parts:
        parts[key].cuda()  # want: PF401
    for key, part in parts.items():
        part.cuda()  # want: PF401
    return parts


if __name__ == "__main__":
    Ensemble(2, ["a", "b"])
    print(len(build(2)), len(pairs(2)), len(by_name()))
    print(torch.ones(1).item())
