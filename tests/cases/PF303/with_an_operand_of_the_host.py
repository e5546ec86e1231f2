# A discarded move of one operand, where the other one is wanted on the CPU, or the move goes there: nothing is safe.
# rules: PF302,PF303
# before: error: the model is on the GPU
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Linear(3, 3).to(device)
x = torch.zeros(3)
y = torch.zeros(3)
x.to(device)  # want: PF303 unsafe
out = model(x + y)
print(y.numpy())

a = torch.zeros(3)
b = torch.zeros(3)
a.to(device)  # want: PF303 unsafe
print((a + b).numpy())
out = model(a + b)

c = torch.zeros(3)
d = torch.zeros(3)
c.cpu()  # want: PF303 unsafe, warning
out = model(c + d)
