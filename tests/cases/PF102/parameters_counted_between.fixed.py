import torch
import torch.nn as nn


def build(device):
    net = nn.Linear(4, 2)
    net.to(device)
    wrapped = nn.DataParallel(net)  # want: PF102
    print(sum(weight.numel() for weight in net.parameters()), [tuple(weight.shape) for weight in net.parameters()])
    trained = [name for name, weight in net.named_parameters() if weight.requires_grad and not name.startswith("head")]
    return wrapped, trained


where = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(3)
print(build(where)[0](torch.ones(2, 4).to(where)).sum().item())
