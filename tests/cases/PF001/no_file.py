# rules: all
# placefix: file-ignore[PF4] the cluster has nothing else
import torch

model = torch.nn.Linear(2, 2).cuda()
x = torch.ones(1, 2).cuda()
print(model(x))
