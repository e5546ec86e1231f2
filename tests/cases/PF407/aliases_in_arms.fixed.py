import torch


def train(batches, use_cuda):
    device = torch.device("cuda" if use_cuda else "cpu")
    for x, y in batches:
        x = x.view(-1).to(device, torch.float32)
        y = y.view(-1).to(device, torch.int64, non_blocking=True)
        print(x, y, torch.tensor([1, 2], dtype=torch.float32, device=device))
# run: train([(torch.ones(2), torch.ones(2))], torch.cuda.is_available())
