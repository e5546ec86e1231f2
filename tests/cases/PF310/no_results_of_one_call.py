# Results of one call need not be on one device where the call is no module's, or where the value is bound again.
import torch


def of_a_function(synthesise, x, device):
    wave, mel = synthesise(x.to(device))
    wave = wave.numpy()
    return wave, mel.cpu().numpy()


def next_batch(batches, device):
    x, y = next(batches)
    x = x.to(device)
    return x.cpu().numpy(), y.numpy()


def names_the_cpu(model, x, device):
    a, b = model(x, output_device="cpu")
    first = a.numpy()
    return first, b.to(device).cpu().numpy()


def bound_again(model, x, device):
    a, b = model(x.to(device))
    a = torch.zeros(3)
    return a.numpy(), b.cpu().numpy()


def another_call(model, x, device):
    a, b = model(x.to(device))
    c, d = model(x)
    return c.numpy(), a.cpu().numpy()


def under_a_test(model, x, device):
    a, b = model(x.to(device))
    if torch.cuda.is_available():
        a = a.cpu()
    return a.numpy(), b.cpu().numpy()
