import torch
from torch import nn

device = torch.device("cpu")
net = nn.Linear(4, 2)
print(tuple(net(torch.ones(3, 4).to(device)).shape))
gpu = torch.device("cuda" if torch.cuda.is_available() else "cpu")
student = nn.Linear(4, 2).to(gpu)
teacher = nn.Linear(4, 2)
x = torch.ones(3, 4)
print(tuple(student(x.to(gpu)).shape), tuple(teacher(x).shape))
