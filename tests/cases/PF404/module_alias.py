# options: target-torch=2.3
from torch import ones
from torch.cuda import amp  # want: PF404

scaler = amp.GradScaler()
with amp.autocast(enabled=scaler.is_enabled()):
    print(ones(1))
