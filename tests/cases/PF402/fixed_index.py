"""A GPU by a fixed number behind a test for CUDA alone: a machine with one GPU passes the test and fails."""
import torch

device = torch.device("cuda:2" if torch.cuda.is_available() else "cpu")  # want: PF402 report
where = "cpu" if not torch.cuda.is_available() else "cuda:2"  # want: PF402 report
other = torch.device("cuda:2") if torch.cuda.is_available() else torch.device("cpu")  # want: PF402 report
if torch.cuda.is_available():
    place = torch.device("cuda:2")  # want: PF402 report
else:
    place = torch.device("cpu")
print(torch.ones(1).to(device), torch.ones(1).to(place), where, other)
