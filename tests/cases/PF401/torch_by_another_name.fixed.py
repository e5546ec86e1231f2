import torch as th

device = th.device("cuda" if th.cuda.is_available() else "cpu")

layer = th.nn.Linear(2, 1).to(device)  # want: PF401
print(layer(th.ones(1, 2, device=device)))  # want: PF401
