# The tokens of an object that is not seen are moved, stay on the CPU together, or are not asked for as tensors of torch.
# options: unsafe
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Encoder:
    def __init__(self, tokenizer, model):
        self.tokenizer = tokenizer
        self.model = model.to(device)
        print(sum(one.numel() for one in model.parameters()))

    def is_cut(self, text):
        ids = self.tokenizer(text, padding="max_length", return_tensors="pt").input_ids
        whole = self.tokenizer(text, padding="longest", return_tensors="pt").input_ids
        return torch.equal(ids, whole), self.model(ids.to(device))

    def encode(self, text):
        tokens = self.tokenizer(text, return_tensors="pt").to(device)
        return self.model(**tokens)

    def encode_there(self, text):
        tokens = self.tokenizer(text, return_tensors="pt", device=device)
        return self.model(tokens["input_ids"])

    def encode_each(self, text):
        tokens = self.tokenizer(text, return_tensors="pt")
        tokens = {key: value.to(device) for key, value in tokens.items()}
        return self.model(**tokens)

    def lists(self, text):
        return self.model(torch.tensor(self.tokenizer(text)["input_ids"]).to(device))


def lengths_beside(tokenizer, make_model, text):
    model = make_model()
    print(sum(one.numel() for one in model.parameters()))
    tokens = tokenizer(text, return_tensors="pt")
    lengths = torch.tensor([len(one) for one in text])
    return model(tokens["input_ids"].to(device), lengths)


def on_the_cpu(tokenizer, make_model, text):
    model = make_model()
    print(sum(one.numel() for one in model.parameters()))
    tokens = tokenizer(text, return_tensors="pt")
    return model(tokens["input_ids"], attention_mask=tokens["attention_mask"])
