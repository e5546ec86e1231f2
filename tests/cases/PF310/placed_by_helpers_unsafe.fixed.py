# options: unsafe
# A tensor is placed by a function that is not seen, by its name.
# given: from drive import device
# given: def to_cuda(x): return x.to(device)
# given: def move_to(x, device): return x.to(device)
import torch


def evaluated(model, batch, device):
    target = move_to(batch["target"], device)
    output = model(move_to(batch["input"], device))
    return output.cpu().numpy(), target.cpu().numpy()  # want: PF310 unsafe, warning


def stepped(network, loss, batch):
    output = network(to_cuda(batch["input"]))
    found = loss(output, to_cuda(batch["target"]))
    return found.detach().cpu().numpy()  # want: PF310 unsafe, warning


# run: batch = {"input": torch.ones(2, 3), "target": torch.ones(2, 3)}
# run: print(evaluated(torch.nn.Softmax(dim=1), batch, device), stepped(torch.nn.Softmax(dim=1), torch.nn.MSELoss(), batch))
