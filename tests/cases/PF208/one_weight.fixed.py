# The node of one weight, read in steps.
# run: step(torch.ones(4, 3))
# run: assert seen, "the hook runs"
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
model = torch.nn.Sequential(torch.nn.Linear(3, 2))
seen = []
weight = model[0].weight
model = model.to(device)
view = weight.view_as(weight)
node = view.grad_fn.next_functions[0][0]  # want: PF208
node.register_hook(lambda *gradients: seen.append(gradients))


def step(x):
    model(x.to(device)).sum().backward()
