"""Blocks that run with CUDA only, and those that are entered without it."""
import torch

net = torch.nn.Linear(2, 2)

if torch.cuda.is_available():
    with torch.cuda.device(0):
        net.to("cuda")

with torch.cuda.device(0 if torch.cuda.is_available() else -1):
    print(net(torch.ones(1, 2).to(net.weight.device)).shape)


def kernel(x, out):
    with torch.cuda.device(x.device):
        stream = torch.cuda.current_stream()
        return stream, out


def launch(gpu):
    with torch.cuda.device(gpu):
        start = torch.cuda.Event(enable_timing=True)
        start.record()
        return start


class TensorRTClassifier:
    def forward(self, x):
        with torch.cuda.device(self.device_id):
            return self.model(x)


def memory():
    found = []
    for gpu_id in range(torch.cuda.device_count()):
        with torch.cuda.device(gpu_id):
            found.append(torch.cuda.memory_allocated())
    return found


def on(x):
    with torch.cuda.device_of(x):
        return x + 1


print(memory(), on(torch.ones(2)))
