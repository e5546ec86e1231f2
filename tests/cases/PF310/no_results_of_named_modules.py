"""What is called has another name, or copies to the CPU; or the function asks for CUDA before it reads."""
import torch


class Predictor:
    def __init__(self, network, device):
        self.network, self.device = network, device

    def rendered(self, data):
        return self.render(self.network(data.to(self.device))).numpy()

    def render(self, output):
        return output.detach().cpu()

    def shown(self, data, plot):
        return plot(data.to(self.device)).numpy()

    def without(self, data):
        if torch.cuda.is_available():
            return self.network(data.to(self.device)).cpu().numpy()
        return self.network(data).numpy()


def not_computed_with(boxes, scores):
    device = boxes.device
    return torch.zeros(2, device=device), scores.numpy()


def flagged(model, data, use_cuda):
    if use_cuda:
        data = data.cuda()
    output = model(data)
    if use_cuda:
        output = output.cpu()
    return output.numpy()


def made_here(model, data, device):
    hidden = model(data.to(device))
    table = torch.ones(3)
    return hidden.cpu().numpy(), (table * 2).numpy()
