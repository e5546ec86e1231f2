import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.cell = nn.Linear(2 * width, width)
        self.out = nn.Linear(width, vocab)

    def forward(self, context, steps: int):
        batch = context.size(0)
        word = torch.zeros(batch, dtype=torch.long, device=context.device)  # want: PF304
        state = context
        outputs = []
        for _ in range(steps):
            state = torch.tanh(self.cell(torch.cat([self.embed(word), state], dim=1)))
            logits = self.out(state)
            word = logits.argmax(dim=1)
            outputs.append(logits)
        return torch.stack(outputs, dim=1)


device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.manual_seed(1)
net = Decoder(9, 4).to(device)
context = torch.randn(3, 4).to(device)
print(f"{net(context, 5).sum().item():.4f}")
