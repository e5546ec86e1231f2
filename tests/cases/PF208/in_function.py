# A function registers the hooks, and its caller places the module afterwards: reported alone.
import torch


def register(module, hook, nodes):
    for p in module.parameters():
        node = p.expand_as(p).grad_fn.next_functions[0][0]  # want: PF208 report
        node.register_hook(hook)
        nodes.append(node)


def main(hook):
    model = torch.nn.Linear(3, 2)
    nodes = []
    register(model, hook, nodes)
    model.cuda()
    return model, nodes
