# options: unsafe
"""What is taken is moved itself: the data may be meant to stay on the CPU, and the index was moved too early."""
# run: print(batches(torch.nn.Linear(4, 1), 6))
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def batches(model, n):
    model.to(device)
    data = torch.randn(n, 4).to(device)  # want: PF302 unsafe
    order = torch.randperm(n).to(device)
    batch = data[order[:2]]
    batch = batch.to(device)
    return model(batch).shape
