import torch

device = torch.device("mps" if torch.backends.mps.is_available() else "cpu")
if torch.cuda.is_available():
    print(torch.ones(2).to(torch.float64).to(device))
x = torch.ones(2, device=device)
print(x.cpu().double(), x.to("cpu").to(torch.float64))
