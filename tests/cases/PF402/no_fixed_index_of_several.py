"""A file that spreads its work over several GPUs names each of them on purpose; so does one that counts them."""
import torch

first = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
second = torch.device("cuda:1" if torch.cuda.is_available() else "cpu")
print(first, second)
