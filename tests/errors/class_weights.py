# message: RuntimeError: Expected all tensors to be on the same device, but got weight is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_nll_loss_forward)
# rules: PF307
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(4, 2).to(device)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0]))
x, y = torch.randn(8, 4).to(device), torch.zeros(8).long().to(device)
criterion(model(x), y)
