import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
student = nn.Linear(6, 2).to(device)
teacher = nn.Linear(6, 2)
optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
teacher.to(device)
