"""A GPU by a fixed number, with its test on the same line, is all that the file names."""
import torch
device = torch.device("cuda:2" if torch.cuda.is_available() else "cpu")  # want: PF402 report
print(device)
