# message: RuntimeError: Expected all tensors to be on the same device, but got target is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_nll_loss_forward)
# rules: PF301
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.zeros(8).long()), batch_size=4)
model = nn.Linear(4, 2).to(device)
for x, y in loader:
    loss = nn.functional.cross_entropy(model(x.to(device)), y)
    loss.backward()
