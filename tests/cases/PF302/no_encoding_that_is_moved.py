# options: unsafe
# A file that never names torch, and moves what its tokenizer makes; the second tokenizer makes lists.
from transformers import AutoModelForSequenceClassification, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased").to("cuda")
inputs = tokenizer("a sentence", return_tensors="pt").to("cuda")
outputs = model(**inputs)
names = tokenizer("a sentence")
print(names["input_ids"])
