# rules: PF301, PF302, PF303
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
teacher = nn.Linear(4, 3)
student = nn.Linear(4, 3).to(device)
probe = torch.randn(5, 4)
soft = teacher(probe).detach()
print((student(probe.to(device)) - soft.to(device)).pow(2).mean().item() > 0)
student.cpu()
print(student(probe).shape)
