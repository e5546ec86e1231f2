"""One-line bodies, tabs of their own, and comments that stay."""
import torch

has_cuda = torch.cuda.is_available()
device = torch.device("cuda" if has_cuda else "cpu")


def place(x):
    if has_cuda: x = x.view(-1).cuda()  # want: PF403 note
    x = torch.relu(x)
    x = x.to(device)  # want: PF403
    return x


print(place(torch.ones(1)))
# again: PF403
