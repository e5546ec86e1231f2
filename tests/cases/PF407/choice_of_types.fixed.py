import torch


def evaluate(batches, half=False):
    tensor_type = torch.float16 if half else torch.float32  # want: PF407
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    for batch in batches:
        print(batch.view(-1).to(device, tensor_type))
# run: evaluate([torch.ones(2, 2)])
