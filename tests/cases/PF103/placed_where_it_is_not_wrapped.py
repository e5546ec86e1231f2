# options: unsafe
import torch
import torch.nn as nn


class Trainer:
    def __init__(self, gpus):
        torch.manual_seed(5)
        model = nn.Linear(6, 2)
        self.device = torch.device(f"cuda:{gpus[0]}" if gpus else "cpu")
        if gpus is not None and len(gpus) == 1:
            model = model.to(device=self.device)
        if gpus is not None and len(gpus) > 1:
            model = nn.DataParallel(model, gpus)  # want: PF103 unsafe
        self.model = model

    def predict(self, x):
        x = x.to(self.device)
        return self.model(x).argmax(1)


print(Trainer(list(range(torch.cuda.device_count()))).predict(torch.eye(6)).tolist())
