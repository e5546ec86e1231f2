import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
table = torch.arange(5.0)


def look_up(keys):
    """Wherever the keys lie: here they lie on the CPU."""
    found = table[keys].to(keys.device)
    return found


print(look_up(torch.tensor([1, 2])).numpy())
print((look_up(torch.tensor([1, 2])) + 1).numpy(), torch.zeros(2).to(device).sum().item())
