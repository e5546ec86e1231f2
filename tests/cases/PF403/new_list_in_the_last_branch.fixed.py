# options: unsafe
"""Without CUDA the list itself went on; now a new list does, which a caller that keeps the old one sees."""
import torch

use_cuda = torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")
xs = [torch.ones(2), torch.ones(3)]
kept = xs
if len(xs) > 3:
    print("many")
else:  # want: PF403 unsafe
    xs = [x.to(device) for x in xs]
print(xs is kept, len(xs), device)
