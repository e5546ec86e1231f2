# rules: PF301, PF302, PF303
import torch
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer, DataCollatorWithPadding
from datasets import load_dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained("x")
model = AutoModelForSequenceClassification.from_pretrained("x").to(device)
loader = DataLoader(load_dataset("imdb")["train"], batch_size=4, collate_fn=DataCollatorWithPadding(tokenizer))
for batch in loader:
    batch.to(device)
    outputs = model(**batch)
    print(outputs.loss.item())
for batch in loader:
    batch = {k: v.to(device) for k, v in batch.items()}
    outputs = model(**batch)
plain = DataLoader(load_dataset("imdb")["train"], batch_size=4, num_workers=2)
for batch in plain:
    inputs = {k: v.to(device) for k, v in batch.items() if k != "text"}
    out = model(**inputs)
enc = tokenizer(["a"], return_tensors="pt")
enc.to(device)
model(**enc)
