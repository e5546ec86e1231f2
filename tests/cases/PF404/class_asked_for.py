# options: target-torch=2.4
"""What is made by the new name is no instance of the old class."""
import torch
from torch.cuda import amp

context = amp.autocast(enabled=False)  # want: PF404 report
print(isinstance(context, amp.autocast))  # want: PF404 report
scaler = torch.cuda.amp.GradScaler()  # want: PF404 report
if type(scaler) is torch.cuda.amp.GradScaler:  # want: PF404 report
    print("scales")
