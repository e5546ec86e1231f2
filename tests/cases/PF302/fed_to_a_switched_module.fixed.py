# options: unsafe
"""What unknown code makes is moved to a device and switched between training and evaluation: it is a module, and its inputs belong there."""
import torch
from elsewhere import build

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Player:
    def __init__(self, config):
        self.model = build(config).to(device).eval()

    def act(self, masks):
        masks = torch.Tensor(masks).bool()
        return self.model(masks.to(device))  # want: PF302 unsafe, warning

    def act_on_batch(self, masks, states):
        masks = torch.from_numpy(masks).float()
        batch = {"states": states, "masks": masks}
        return self.model(batch)  # want: PF302 report, warning


def bench(config):
    model = build(config)
    model.to(device)
    model.train()
    ids = torch.randint(3, (2, 3))

    def run():
        return model(ids.to(device), labels=3)  # want: PF302 unsafe, warning

    return run()
