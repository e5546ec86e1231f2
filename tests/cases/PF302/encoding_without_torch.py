"""A file that never names torch: what a tokenizer makes stays on the CPU."""
from transformers import AutoModelForSequenceClassification, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
model = AutoModelForSequenceClassification.from_pretrained("bert-base-uncased").to("cuda")
inputs = tokenizer("a sentence", return_tensors="pt")
outputs = model(**inputs)  # want: PF302
# machines: 1
