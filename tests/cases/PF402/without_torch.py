"""A file without an import of the library whose model it has."""
from transformers import AutoModel

model = AutoModel.from_pretrained("bert-base-uncased").to("cuda")  # want: PF402 unsafe
