# rules: PF401,PF402
# What is tested or safely repaired needs no CUDA after the fixes.
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # want: PF402


def placed(x):
    if torch.cuda.is_available():
        print(torch.cuda.get_device_name())
    return torch.relu(x).to(device)  # want: PF401


print(placed(torch.ones(2).to(device)).sum().item())
