import torch
from transformers import AutoModel, AutoModelForCausalLM, AutoTokenizer, BertTokenizer

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokenizer = AutoTokenizer.from_pretrained("gpt2")
model = AutoModelForCausalLM.from_pretrained("gpt2").to(device)

moved = tokenizer("Hello", return_tensors="pt").to(device)
print(model(**moved))
place = tokenizer("Hello", return_tensors="pt")
place.to(device)
print(model.generate(**place))
dictionary = tokenizer(["a", "b"], padding=True, return_tensors="pt")
dictionary = {k: v.to(device) for k, v in dictionary.items()}
print(model(**dictionary))
single = tokenizer("Hello", return_tensors="pt")
for key in single:
    single[key] = single[key].to(device)
print(model(**single))
part = tokenizer("Hello", return_tensors="pt")
print(model(input_ids=part["input_ids"].to(device), attention_mask=part.attention_mask.to(device)))
ids = tokenizer.encode("Hello", return_tensors="pt").to(device)
print(model.generate(ids), tokenizer.encode("Hello"))
host = AutoModel.from_pretrained("gpt2")
print(host(**tokenizer("Hello", return_tensors="pt")))
auto = AutoModelForCausalLM.from_pretrained("gpt2", device_map="auto")
print(auto.generate(**tokenizer("Hello", return_tensors="pt")))
arrays = tokenizer("Hello", return_tensors="np")
print(model(torch.tensor(arrays["input_ids"]).to(device)))
