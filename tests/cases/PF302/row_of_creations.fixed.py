# All tensors of a row are made on the device, but for one.
# options: unsafe
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Buffer:
    def __init__(self, device):
        self.device = device

    def collect(self, step, states):
        kept = torch.zeros((4, 3), dtype=torch.float32, device=self.device)  # want: PF302 unsafe, warning
        actions = torch.zeros((4, 1), dtype=torch.int32).to(self.device)
        rewards = torch.zeros((4, 1), dtype=torch.float32, device=self.device)
        for number, state in enumerate(states):
            kept[number] = state
            actions[number], rewards[number] = step(state)
        return kept, actions, rewards


def batches(loader, step):
    for data, target in loader:
        data, target = torch.tensor(data).to(device), torch.tensor(
            target, device=device
        )  # want: PF302 unsafe, warning
        step(data, target)


def step(state):
    return 1, 2.0


def loss(data, target):
    print((data * target).sum().item())


# run: kept, actions, rewards = Buffer(device).collect(step, [torch.ones(3)])
# run: print((kept * rewards).sum().item(), actions.sum().item())
# run: batches([([1.0, 2.0], [3.0, 4.0])], loss)
