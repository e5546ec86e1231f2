# options: unsafe
# The result of a module that is not seen, detached or computed with, is a tensor; if its input is on a device, so is the tensor.
# given: from torch.utils.data import DataLoader, TensorDataset
# given: from drive import device
import numpy as np
import torch
import torch.nn.functional as F


def scores(model, loader, device):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        output = model(x)
        loss = F.cross_entropy(output, y)
        yield output.detach().cpu().numpy(), loss.item()  # want: PF310 unsafe, warning


def probabilities(model, loader, device):
    found = []
    with torch.no_grad():
        for x, y in loader:
            x = x.to(device)
            output = F.softmax(model(x), dim=1)
            found.append(output.data.cpu().numpy())  # want: PF310 unsafe, warning
    return np.concatenate(found)


# run: torch.manual_seed(0)
# run: net = torch.nn.Linear(3, 2).to(device)
# run: data = DataLoader(TensorDataset(torch.ones(4, 3), torch.zeros(4, dtype=torch.long)), batch_size=2)
# run: print([(found.round(4).tolist(), round(loss, 4)) for found, loss in scores(net, data, device)])
# run: print(probabilities(net, data, device).round(4).tolist())
