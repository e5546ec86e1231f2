"""What the file creates and moves to its device in two statements stays as it is: nothing in it is for CUDA alone."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.zeros(2, 3)
x = x.to(device)
y = torch.FloatTensor([1.0, 2.0, 3.0])
if torch.cuda.is_available():
    print("with CUDA")
y = y.to(x.device)
print((x + y).sum().item())
