"""Without the guard the name would be bound where it was not."""
import torch

x = torch.ones(2)
if torch.cuda.is_available():  # want: PF403 note
    y = x.cuda()
    print(y)
