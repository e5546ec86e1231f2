import torch
from transformers import AutoModelForCausalLM, BitsAndBytesConfig

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
options = {"device_map": "auto"}
tokens = torch.zeros(1, 4, dtype=torch.long).to(device)
spread = AutoModelForCausalLM.from_pretrained("gpt2", device_map="auto")
print(spread(tokens))
small = AutoModelForCausalLM.from_pretrained("gpt2", quantization_config=BitsAndBytesConfig(load_in_8bit=True))
print(small(tokens))
told = AutoModelForCausalLM.from_pretrained("gpt2", **options)
print(told(tokens))
