"""Two statements on a line stay together."""
import torch

torch.cuda.empty_cache(); torch.cuda.synchronize()  # want: PF406 report
