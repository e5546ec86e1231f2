# Whatever the class of a tokenizer is, `return_tensors="pt"` asks it for tensors, and it makes them on the CPU.
# options: unsafe
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Encoder:
    def __init__(self, tokenizer, model):
        self.tokenizer = tokenizer
        self.model = model.to(device)
        self.model.eval()

    def shorter(self, text):
        ids = self.tokenizer(text, padding="max_length", return_tensors="pt").input_ids.to(device)
        whole = self.tokenizer(text, padding="longest", return_tensors="pt").input_ids  # want: PF302 unsafe, warning
        return torch.equal(ids, whole)


def ids_alone(tokenizer, model, text):
    model.to(device)
    print(sum(one.numel() for one in model.parameters()))
    ids = tokenizer.encode(text, return_tensors="pt")
    return model(ids)  # want: PF302 unsafe, warning


def masked(tokenizer, make_model, text):
    model = make_model()
    print(sum(one.numel() for one in model.parameters()))
    tokens = tokenizer.batch_encode_plus(text, return_tensors="pt")
    ids = tokens["input_ids"].to(device)
    return model(input_ids=ids, attention_mask=tokens["attention_mask"])  # want: PF302 unsafe, warning


# given: import torch as t
# given: Tokens = type("Tokens", (dict,), {"input_ids": property(lambda s: s["input_ids"])})
# given: make = lambda *a, **k: Tokens(input_ids=t.ones(1, 3), attention_mask=t.ones(1, 3))
# given: Maker = type("Maker", (), {"__call__": make, "batch_encode_plus": make, "encode": lambda *a, **k: t.ones(1, 3)})
# given: Net = type("Net", (t.nn.Linear,), {"forward": lambda s, input_ids, attention_mask: t.nn.Linear.forward(s, input_ids * attention_mask)})
# run: print(Encoder(Maker(), torch.nn.Linear(3, 2)).shorter("a"))
# run: print(ids_alone(Maker(), torch.nn.Linear(3, 2), "a"))
# run: print(masked(Maker(), lambda: Net(3, 2).to(device), "a"))
