# options: unsafe
"""A file without an import of the library whose model it has."""
import torch
from transformers import AutoModel

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

model = AutoModel.from_pretrained("bert-base-uncased").to(device)  # want: PF402 unsafe
# not run: transformers is not installed
