"""A stand-in for transformers: tokenizers give tensors on the CPU, models take `input_ids`, and return an object with tensors."""

from __future__ import annotations

from collections import UserDict
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn


class BatchEncoding(UserDict):  # type: ignore[type-arg]
    """What a tokenizer returns: a dict whose `to` moves its tensors in place and returns it."""

    def to(self, device: Any) -> BatchEncoding:
        self.data = {name: value.to(device) for name, value in self.data.items()}
        return self

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["data"][name]
        except KeyError:
            raise AttributeError(name) from None


class AutoTokenizer:
    @classmethod
    def from_pretrained(cls, name: str, **options: Any) -> AutoTokenizer:
        return cls()

    def __call__(self, text: Any, return_tensors: str | None = None, **options: Any) -> BatchEncoding:
        rows = [text] if isinstance(text, str) else list(text)
        ids = [[len(word) % 16 for word in row.split()][:4] + [0] * max(0, 4 - len(row.split())) for row in rows]
        made: Any = torch.tensor(ids) if return_tensors == "pt" else ids
        mask: Any = torch.ones(len(ids), 4, dtype=torch.long) if return_tensors == "pt" else [[1] * 4 for _ in ids]
        return BatchEncoding({"input_ids": made, "attention_mask": mask})

    def encode(self, text: str, **options: Any) -> Any:
        return self(text, **options)["input_ids"]

    def batch_decode(self, tokens: Any, **options: Any) -> list[str]:
        return [" ".join(map(str, row)) for row in tokens.tolist()]

    def decode(self, tokens: Any, **options: Any) -> str:
        return " ".join(map(str, tokens.tolist()))


class PreTrainedModel(nn.Module):
    def __init__(self, out: int = 2) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.words, self.head = nn.Embedding(16, 8), nn.Linear(8, out)

    @classmethod
    def from_pretrained(cls, name: str, **options: Any) -> Any:
        return cls()

    @property
    def device(self) -> torch.device:
        return self.head.weight.device

    def forward(self, input_ids: Any, attention_mask: Any = None, labels: Any = None, **options: Any) -> Any:
        found = self.words(input_ids)
        if attention_mask is not None:
            found = found * attention_mask.unsqueeze(-1)
        logits = self.head(found.mean(1))
        loss = None if labels is None else nn.functional.cross_entropy(logits, labels)
        return SimpleNamespace(logits=logits, loss=loss, last_hidden_state=found)

    def generate(self, input_ids: Any, attention_mask: Any = None, **options: Any) -> Any:
        return torch.cat([input_ids, self(input_ids, attention_mask).logits.argmax(1, keepdim=True)], 1)


AutoModel = AutoModelForCausalLM = AutoModelForSequenceClassification = BertModel = PreTrainedModel
BertForSequenceClassification = GPT2LMHeadModel = PreTrainedModel
BertTokenizer = GPT2Tokenizer = AutoProcessor = AutoTokenizer
