# A function that trains also measures, or only prints a measurement: the rest of it runs without CUDA.
# run: train(torch.nn.Linear(2, 1), torch.ones(1, 2)); step(torch.nn.Linear(2, 1), torch.ones(1, 2))
import torch


def train(model, x):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    model(x.to(device))
    torch.cuda.synchronize()  # want: PF406
    used = torch.cuda.max_memory_allocated()
    print(used >= 0)


def step(model, x):
    model(x)
    torch.cuda.synchronize()  # want: PF406
    print(torch.cuda.max_memory_allocated() >= 0)
