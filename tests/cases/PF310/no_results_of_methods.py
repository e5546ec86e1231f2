"""Methods of what is no module by its name, methods that copy to the CPU, results that are moved or that numpy may have made."""
import numpy as np
import torch


class Predictor:
    def __init__(self, network, device):
        self.network, self.device = network, device

    def by_an_object(self, reader, data):
        return reader.predict(data.to(self.device)).numpy()

    def on_the_cpu(self, data):
        return self.network.decode(data).numpy()

    def copied(self, data):
        scores = self.network.predict(data.to(self.device))
        return scores.detach().cpu().numpy()

    def array(self, data):
        return np.asarray(self.network.predict(data.to(self.device)))

    def with_a_flag(self, data, use_cuda):
        if use_cuda:
            data = data.cuda()
        scores = self.network.predict(data)
        if use_cuda:
            scores = scores.cpu()
        return scores.numpy()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 2)

    def predict(self, x):
        return self.layer(x).detach().cpu()


def predicted(data, device):
    model = Net().to(device)
    return model.predict(data.to(device)).numpy()
