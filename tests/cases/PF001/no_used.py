# rules: all
import torch

model = torch.nn.Linear(2, 2)
model.cuda()  # placefix: ignore[PF401] the cluster has nothing else
x = torch.ones(1, 2).cuda()  # noqa: E501,PF4
# placefix: ignore[PF]
y = torch.ones(1, 2).cuda()
print(
    model(x.cuda() + y),  # placefix: ignore
)
