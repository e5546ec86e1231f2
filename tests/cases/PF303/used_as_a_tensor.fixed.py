# options: unsafe
# Values of unknown kind that have methods of tensors behind the move, are sliced in several dimensions, or come with a moved one.
# given: from torch.utils.data import DataLoader, TensorDataset
# given: from drive import device
import torch
import torch.nn as nn


def squeezed(model, loader, device, right=0):
    for x, labels in loader:
        labels = labels.to(device)  # want: PF303 unsafe, warning
        model.eval()
        x = x.to(device)
        right += (model(x).argmax(dim=-1) == labels.squeeze()).sum().item()
    return right


def sliced(model, data, device):
    sound, lengths = data[0], data[1]
    sound = sound.to(device)  # want: PF303 unsafe, warning
    return model(sound[:, :2, :]), lengths


class Cache:
    def __init__(self, keys, values):
        self.keys, self.values = keys, values

    def move_to(self, device):
        self.keys = self.keys.to(device)  # want: PF303 unsafe, warning
        self.values = self.values.to(device)
        return self

    def both(self):
        return torch.cat([self.keys.unsqueeze(0), self.values.unsqueeze(0)])


# run: torch.manual_seed(0)
# run: net = nn.Linear(3, 2).to(device)
# run: data = DataLoader(TensorDataset(torch.ones(4, 3), torch.zeros(4, 1, dtype=torch.long)), batch_size=2)
# run: print(squeezed(net, data, device) in (0, 4))
# run: print(sliced(nn.Identity().to(device), (torch.ones(2, 4, 3), [4, 4]), device)[0].device.type == device.type)
# run: print(Cache(torch.ones(2), torch.ones(2)).move_to(device).both().shape)
