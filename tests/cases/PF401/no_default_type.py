"""Everything is made on the GPU."""
import torch

torch.set_default_tensor_type("torch.cuda.FloatTensor")
print(torch.zeros(2) + torch.ones(2).cuda())  # want: PF401 report
