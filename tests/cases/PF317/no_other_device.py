import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
name = "mps"
print(torch.ones(2, dtype=torch.float64, device=device), torch.ones(2).double(), name)
print(torch.ones(2, dtype=torch.float64, device="cpu"))
