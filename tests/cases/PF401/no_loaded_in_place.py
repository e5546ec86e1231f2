# rules: PF401,PF402,PF403
"""A loader that spreads the model over devices, or quantises it, has placed it."""
import torch
from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained("gpt2", device_map="auto", load_in_8bit=True)
tokens = torch.ones(1, 4, dtype=torch.long).cuda()  # want: PF401 report
print(model.generate(tokens.to("cuda")))  # want: PF402 report
