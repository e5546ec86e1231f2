"""A comment inside a conditional expression would be lost."""
import torch

cuda = torch.cuda.is_available()
x = torch.randn(2, 4)
moved = (
    (x + 1).cuda()  # want: PF403 report
    if cuda
    else (x + 1)
)
print(moved.shape)
