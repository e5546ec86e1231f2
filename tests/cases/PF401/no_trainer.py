"""The Trainer moves model and batches to its device."""
import torch
from transformers import AutoModel, Trainer, TrainingArguments

model = AutoModel.from_pretrained("bert")
model.cuda()  # want: PF401 report


class Weighted(Trainer):
    def compute_loss(self, model, inputs, return_outputs=False):
        weight = torch.ones(2).cuda()  # want: PF401 report
        return torch.nn.functional.cross_entropy(model(**inputs).logits, inputs["labels"], weight)


Weighted(model, TrainingArguments("out")).train()
