# options: target-torch=2.7 device-idiom=auto
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

x = torch.ones(2)
# want: PF403
x = x.to(device)
print(x)
