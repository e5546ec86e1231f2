import torch

torch.set_default_device("cuda")  # want: PF402 report
print(torch.ones(1).to("cuda"))  # want: PF402 report
