import torch
from transformers import AutoModelForCausalLM

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
tokens = torch.zeros(1, 4, dtype=torch.long).to(device)
model = AutoModelForCausalLM.from_pretrained("gpt2", device_map=None)  # want: PF112
print(model(tokens))
