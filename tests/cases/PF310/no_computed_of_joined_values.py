"""numpy reads a tensor under the test under which it was made of an array; an item of a container is another tensor; the device is the CPU."""
import numpy as np
import torch


def colored(image, palette):
    is_array = isinstance(image, np.ndarray)
    if is_array:
        image = torch.from_numpy(image)
    palette = torch.tensor(palette, device=image.device)
    out = image * palette
    if is_array:
        out = out.numpy()
    return out


def items(batch):
    total = batch["x"] + batch["y"]
    return total.cpu().numpy(), batch["length"].numpy()


def on_the_host(x, y):
    device = torch.device("cpu")
    x = x.to(device)
    z = x + y
    return x.numpy(), z.numpy()


class Host:
    def __init__(self):
        self.device = "cpu"

    def read(self, x, y):
        x = x.to(self.device)
        return x.numpy(), (x + y).numpy()


def scaled(network, table, x, device):
    hidden = network(x.to(device))
    rows = torch.from_numpy(table)
    return hidden.cpu().numpy(), (rows * hidden.mean().item()).numpy()


def listed(network, x, table, device):
    hidden = network(x.to(device))
    tables = [torch.ones(3), torch.from_numpy(table)]
    return hidden.cpu().numpy(), [tables[i].numpy() for i in range(2)]
