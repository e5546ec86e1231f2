"""Without torch this goes on: nothing at the module level may ask it for a device."""
try:
    import torch
    import torch.nn as nn
except ImportError:
    torch = None

use_gpu = torch is not None and torch.cuda.is_available()
if torch is not None:
    net = nn.Linear(2, 2)
    if use_gpu:  # want: PF403 report
        net = net.cuda()
    print(net.weight.shape)
