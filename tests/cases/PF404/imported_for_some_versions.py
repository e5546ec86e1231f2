# The import has a use below a test of versions: it stays.
# options: target-torch=2.5
import torch
from torch.cuda.amp import autocast  # want: PF404 report


def context(modern):
    if torch.__version__ < "1.12":
        return autocast()
    return autocast(enabled=modern)
