# options: target-torch=2.7 device-idiom=auto
# machines: 2
import torch

print(torch.ones(2).cuda(1))  # want: PF401 report
