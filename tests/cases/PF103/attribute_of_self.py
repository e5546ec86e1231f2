import torch
import torch.nn as nn


class Classifier:
    def __init__(self, device):
        torch.manual_seed(5)
        self.device = device
        self.model = torch.nn.DataParallel(nn.Linear(6, 2))  # want: PF103

    def predict(self, x):
        return self.model(x.to(self.device)).argmax(1)


print(Classifier(torch.device("cuda" if torch.cuda.is_available() else "cpu")).predict(torch.eye(6)).tolist())
