# options: unsafe
# A value that one return moves and another one does not: None there, moved above, lengths, or nothing is moved beside it.


def missing(x, y, device):
    if y is None:
        return x.to(device), y
    return x.to(device), y.to(device)


def above(x, y, flag, device):
    y = y.to(device)
    if flag:
        return x.to(device), y
    return x.to(device), y.float().to(device)


def lengths(x, lengths, flag, device):
    if flag:
        return x.to(device), lengths
    return x.to(device), lengths.to(device)


def on_host(x, y, flag, device):
    if flag:
        return x, y
    return x.to(device), y.to(device)


def other_value(x, y, z, flag, device):
    if flag:
        return x.to(device), y
    return x.to(device), z.to(device)


def other_device(x, y, flag, device, other):
    if flag:
        return x.to(device), y
    return x.to(device), y.to(other)
