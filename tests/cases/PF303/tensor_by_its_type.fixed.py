# options: unsafe
# run: device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# run: print(doubled(torch.ones(2), device).tolist(), joined([torch.ones(1), torch.ones(1)], device).tolist())
"""The type of a parameter, or a function of torch, shows that the value is a tensor."""
import torch

Indices = torch.Tensor
LongTensor = Indices


def doubled(batch: LongTensor, device) -> LongTensor:
    other = torch.ones(2, device=device)
    batch = batch.to(device)  # want: PF303 unsafe, warning
    return batch + other


def joined(parts, device):
    x = parts[0].to("cpu")
    for part in parts[1:]:
        x = torch.cat((x, part.cpu()))
    if str(device) != "cpu":
        x = x.to(device)  # want: PF303 unsafe, warning
    return x + torch.ones(2, device=device)


def module_kept(net: "torch.nn.Module", device):
    net.to(device)
    return net


def object_kept(store: "TensorStore", device):
    store.to(device)
    return store
