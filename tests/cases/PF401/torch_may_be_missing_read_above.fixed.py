# A function reads torch where its import may have failed: the fix that reads it once more adds no new error.
# given: import torch
# run: print(sizes(2))
import pickle

try:
    import torch.distributed as dist
    import torch.nn

    available = True
except ImportError:
    available = False


def sizes(count):
    if not available:
        return []
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    found = torch.zeros(count, dtype=torch.long, device=device)  # want: PF401
    return found.cpu().tolist()
