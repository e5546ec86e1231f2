# A function that moves its argument by its name does not read the device, and returns the argument as it got it.
import torch


def batch_to_device(batch, target_device):  # want: PF301 report, warning
    for key in batch:
        if isinstance(batch[key], torch.Tensor):
            batch[key] = batch[key].float()
    return batch


def model_to_device(model, device):  # it reads it
    model.place(device)
    return model


def to_cuda(batch, device):  # it moves
    return {key: value.cuda() for key, value in batch.items()}


def move_in_place(batch, device):  # it returns nothing
    batch.move()


def to_dict(batch, device=None):  # it returns something else
    return {"batch": list(batch)}


def selected(batch, device):  # it moves nothing by its name
    return batch


def scale(net, x):
    net.cuda()
    return net(x.cuda())
