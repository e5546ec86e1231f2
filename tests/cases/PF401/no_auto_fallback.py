# options: target-torch=2.7 device-idiom=auto
import torch

x = torch.ones(2)
try:
    x = x.cuda()  # want: PF401 report
except RuntimeError:
    print("on the CPU")
print(x)
