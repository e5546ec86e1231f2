import torch as th

layer = th.nn.Linear(2, 1).cuda()  # want: PF401
print(layer(th.ones(1, 2).cuda()))  # want: PF401
