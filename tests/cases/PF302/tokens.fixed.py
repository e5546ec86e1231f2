import torch
from transformers import AutoModelForCausalLM, GPT2Tokenizer

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = GPT2Tokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2").to(device)


def answer(text):
    inputs = tokenizer(text, return_tensors="pt")
    return model.generate(**inputs.to(device), max_length=20)  # want: PF302


def logits(text):
    ids = tokenizer.encode(text, return_tensors="pt").to(device)  # want: PF302
    return model(ids).logits


def scores(text):
    inputs = tokenizer(text, truncation=True, return_tensors="pt")
    return model(input_ids=inputs["input_ids"].to(device), attention_mask=inputs.attention_mask.to(device))  # want: PF302


print(answer("Hello"), logits("Hello"), scores("Hello"))
