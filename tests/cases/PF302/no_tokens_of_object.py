# An object moves its tokens, or gets lists of numbers: nothing is on the CPU.
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Writer:
    def __init__(self):
        self.tokenizer = AutoTokenizer.from_pretrained("gpt2")
        self.model = AutoModelForCausalLM.from_pretrained("gpt2").to(device)

    def write(self, text):
        inputs = self.tokenizer(text, return_tensors="pt").to(device)
        return self.model.generate(**inputs, max_length=20)

    def lengths(self, text):
        return self.model(self.tokenizer(text))


print(Writer().write("Hello"))
