# rules: PF401,PF402
# What is tested or safely repaired needs no CUDA after the fixes.
import torch

device = torch.device("cuda")  # want: PF402


def placed(x):
    if torch.cuda.is_available():
        print(torch.cuda.get_device_name())
    return torch.relu(x).cuda()  # want: PF401


print(placed(torch.ones(2).to(device)).sum().item())
