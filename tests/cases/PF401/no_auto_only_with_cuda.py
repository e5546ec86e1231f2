# options: target-torch=2.7 device-idiom=auto
import sys

import torch

if not torch.cuda.is_available():
    sys.exit()
x = torch.ones(2).cuda()  # want: PF401 note
print(x)
