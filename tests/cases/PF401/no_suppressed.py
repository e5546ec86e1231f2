import torch

x = torch.ones(2).cuda()  # placefix: ignore[PF401] the kernel below is CUDA only
y = torch.ones(2).cuda()  # noqa: PF401
