# options: target-torch=2.7 device-idiom=auto
import torch

x = torch.ones(2)
if torch.cuda.is_available():  # want: PF403
    x = x.cuda()
print(x)
