# exec and globals() bind names that are not written out.
import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)

x, y = torch.ones(1, 3), torch.tensor([1])
for name in ("x", "y"):
    globals()[name] = globals()[name].to(device)
print(nn.functional.cross_entropy(net(x), y))
z = torch.ones(1, 3)
exec("z = z.to(device)")
print(net(z))
w = torch.ones(1, 3)
globals().update({"w": w.to(device)})
print(net(w))
