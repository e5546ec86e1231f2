"""Memory is pinned where there is CUDA: without it the call raises."""
import torch

buffer = torch.empty(6, 4)  # want: PF406
if torch.cuda.is_available():
    buffer = buffer.pin_memory()
rows = torch.ones(6, 4)
if torch.cuda.is_available():
    rows = rows.pin_memory()  # want: PF406
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def batches(count):
    for _ in range(count):
        row = torch.ones(2)
        yield (
            row.pin_memory() if torch.cuda.is_available() else row
        ).to(device, non_blocking=True)  # want: PF406


buffer.copy_(rows)
print(buffer.sum().item(), sum(x.sum().item() for x in batches(2)))
