# A graph is walked to be shown: no node of a parameter is kept.
import torch

model = torch.nn.Linear(3, 2)
loss = model(torch.ones(4, 3)).sum()
todo, count = [loss.grad_fn], 0
while todo:
    node = todo.pop()
    count += 1
    for inner, _ in node.next_functions:
        if inner is not None:
            todo.append(inner)
print(count, loss.grad_fn.next_functions)
model.cuda()
