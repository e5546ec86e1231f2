# rules: PF310
# options: unsafe
# given: from drive import device
"""A tensor is placed and goes through what has the name of a module; a function follows the device of a tensor."""
import torch


class Trainer:
    def __init__(self, network, loss, device):
        self.network, self.loss, self.device = network, loss, device

    def step(self, data, target):
        data = data.to(self.device)
        output = self.network(data)
        loss = self.loss(output, target.to(self.device))
        return loss.detach().numpy()  # want: PF310 unsafe, warning

    def scores(self, data):
        out = self.network(data.to(self.device))
        return out["scores"].numpy()  # want: PF310 unsafe, warning


def followed(boxes, scores):
    device = boxes.device
    moved = boxes + boxes.max()
    kept = moved.numpy()  # want: PF310 unsafe, warning
    return torch.as_tensor(kept, device=device), scores.cpu().numpy()


def under_a_flag(model, data, use_cuda):
    if use_cuda:
        data = data.cuda()
    return model(data).numpy()  # want: PF310 unsafe, warning


# run: step = Trainer(torch.nn.Linear(3, 2).to(device), torch.nn.MSELoss(), device)
# run: print(step.step(torch.ones(2, 3), torch.ones(2, 2)).shape)
# run: print(Trainer(lambda x: {"scores": x}, None, device).scores(torch.ones(2)).shape)
# run: print(followed(torch.ones(2, device=device), torch.ones(2, device=device))[0].shape)
# run: print(under_a_flag(torch.nn.Softmax(dim=1), torch.ones(2, 3), torch.cuda.is_available()).shape)
