# A module that is exported or traced is called with the inputs of the export.
# not run: a file is written, and the package onnx is needed
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 2).to(device)
torch.onnx.export(model, torch.ones(1, 3).to(device), "a.onnx")  # want: PF302
x = torch.ones(1, 3)
traced = torch.jit.trace(model, example_inputs=x.to(device))  # want: PF302


class Pair(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.line = torch.nn.Linear(3, 2)

    def forward(self, x, y):
        return self.line(x) + self.line(y)


pair = Pair().to(device)
y = torch.ones(1, 3, device=device)
torch.onnx.export(pair, (torch.ones(1, 3).to(device), y), "b.onnx")  # want: PF302
