# Results of modules that are not seen, and that are copied, stay on the CPU, or may be arrays.
import numpy as np
import torch
import torch.nn.functional as F


def copied(model, loader, device):
    for x, _ in loader:
        output = model(x.to(device))
        yield output.detach().cpu().numpy()


def copied_before(model, loader, device):
    for x, _ in loader:
        output = model(x.to(device)).cpu()
        yield F.softmax(output, dim=1).numpy()


def labels_stay(model, loader, device):
    for x, y in loader:
        x = x.to(device)
        yield model(x).detach().cpu().numpy(), y.view(-1).numpy()


def arrays(predictor, loader, device):
    predictor.to(device)
    for x, _ in loader:
        yield np.asarray(predictor(x.to(device)))


def result_of_an_object(predictor, loader, device):
    predictor.to(device)
    for x, _ in loader:
        yield predictor(x.to(device)).numpy()


def on_the_cpu(model, loader):
    model = model.to("cpu")
    for x, _ in loader:
        yield model(x.to("cpu")).detach().numpy()


def moved_back(model, x, device):
    x = x.to(device)
    output = model(x)
    output = output.to("cpu")
    return output.detach().numpy()


def only_with_a_flag(model, x, use_cuda):
    if use_cuda:
        x = x.cuda()
    output = model(x)
    if use_cuda:
        output = output.cpu()
    return output.detach().numpy()


def to_host(tensor):
    return tensor.detach().cpu() if tensor.is_cuda else tensor


def helped(model, x, device):
    output = to_host(model(x.to(device)))
    return output.view(-1).numpy()


def asks(model, x, device):
    output = model(x.to(device))
    if torch.cuda.is_available():
        output = output.cpu()
    return output.detach().numpy()
