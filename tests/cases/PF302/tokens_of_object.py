# An object calls its tokenizer, which has an attribute of that name: the tokens are on the CPU.
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Writer:
    def __init__(self):
        self.tokenizer = AutoTokenizer.from_pretrained("gpt2")
        self.model = AutoModelForCausalLM.from_pretrained("gpt2").to(device)

    def write(self, text):
        inputs = self.tokenizer(text, return_tensors="pt")
        return self.model.generate(**inputs, max_length=20)  # want: PF302


print(Writer().write("Hello"))
