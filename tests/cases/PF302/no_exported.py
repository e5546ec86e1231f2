# options: unsafe
# The module is on the CPU, the inputs are with it, or the arguments cannot be told apart.
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(3, 2).to(device)
torch.onnx.export(model, torch.ones(1, 3, device=device), "a.onnx")
torch.onnx.export(model.cpu(), torch.ones(1, 3), "b.onnx")


def export(model, inputs, names, path):
    model.to(device)
    torch.onnx.export(model, *inputs)
    torch.onnx.export(model, ({"x": inputs}, names), path)
    torch.onnx.export(model, inputs, path)
