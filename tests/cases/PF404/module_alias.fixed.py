# options: target-torch=2.3
from torch import ones
from torch import amp  # want: PF404

scaler = amp.GradScaler("cuda")
with amp.autocast("cuda", enabled=scaler.is_enabled()):
    print(ones(1))
