import torch


# x.cuda(async=True) stays in a comment, and "async=True" in a text
def fetch(batch, device, stream, host):
    """Moves a batch with x.cuda(async=True)."""
    inputs, target = batch[:2]
    inputs = inputs.cuda(non_blocking=True)  # want: PF400
    target = target.cuda(0, non_blocking=True)  # want: PF400
    mask = batch[2].to(device, non_blocking = True)  # want: PF400
    weight = batch[3].float().cuda(
        non_blocking=True,  # want: PF400
    )
    host.copy_(weight, non_blocking=True)  # want: PF400
    total = (inputs.type(torch.float16, non_blocking=True) + weight.cuda(device=device, non_blocking=bool(stream)))  # want: PF400 # want: PF400
    print("x.cuda(async=True)", 'async=', total)
    return inputs, target, mask
# machines: 1,2
# run: batch = [torch.ones(2) for _ in range(4)]
# run: print(sum(part.sum().item() for part in fetch(batch, torch.device("cuda"), None, torch.zeros(2))))
