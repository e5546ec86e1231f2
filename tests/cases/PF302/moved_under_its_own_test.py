# options: unsafe
"""One of two results is moved under a test of it: the line is no place for the move of the other one."""
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Rank(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 2)
        self.second = nn.Linear(3, 2)

    def forward(self, text, image):
        score = self.first(text)
        return score if image is None else score + self.second(image)


class Work:
    def __init__(self, texts, images):
        self.texts, self.images = texts, images
        self.model = Rank().to(device)

    def take(self, rows):
        return self.texts.get(rows), self.images.get(rows)

    def run(self, rows):
        text, image = self.take(rows)
        if text is not None:
            text = text.to(device)  # want: PF302 report, warning
        return self.model(text, image)
