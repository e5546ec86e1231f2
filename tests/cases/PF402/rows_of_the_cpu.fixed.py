# options: unsafe
"""A library: a table is filled item by item with rows that may lie on the CPU, and does not follow them."""
import torch


def padded(rows, width):
    """Assigning to a part of a tensor copies from anywhere."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    table = torch.zeros(rows.shape[0], width, device=device)  # want: PF402 unsafe
    table[:, 0] = rows[:, 0]
    return table


def lowered(rows):
    """The sum needs both on one device."""
    rest = torch.zeros(rows.shape[0], 3, device=rows.device)  # want: PF402
    return rest + rows
# run: from drive import device
# run: rows = torch.ones(2, 3)
# run: print((padded(rows, 3) + rows.to(device)).tolist(), lowered(rows.to(device)).tolist())
