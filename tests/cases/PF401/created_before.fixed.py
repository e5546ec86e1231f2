"""A constant that the next line moves is created on its device, unless that line has another purpose or its device is bound after it."""
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = torch.nn.Linear(3, 3).to(device)

x = torch.zeros(2, 3, device=device)  # want: PF401
print(net(x).shape)

y = torch.empty(2, 3).fill_(0.5)  # the input
y = y.to(device)  # want: PF401
z = torch.ones(3)
w = z.to(device)  # want: PF401
z = torch.zeros(
    2,
    3,
)
z = z.to(device)  # want: PF401
v = torch.empty(3, dtype=torch.float32, device=device).fill_(1)  # want: PF401
u = torch.tensor([1, 2], dtype=torch.int64, device=device)  # want: PF401
t = torch.ones(3, device=device)  # want: PF401
s = torch.zeros(3); s = s.to(device)  # want: PF401
r = torch.zeros(3)
r = r.to(device, non_blocking=True)  # want: PF401
for one in (x, y, z, w, v, u.float(), t, s, r):
    print(one.device.type == device.type, one.sum().item())
