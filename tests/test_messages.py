"""Messages name the other operand of an operation as the code spells it."""

from __future__ import annotations

import pytest

import placefix

SCRIPT = """import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net = nn.Linear(3, 2).to(device)
loader = DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8, 2)))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    x = x.to(device)
    {loss}
    opt.step()
"""


@pytest.mark.parametrize(
    ("loss", "other"),
    [
        ("nn.functional.mse_loss(net(x), y).backward()", "net(x)"),
        ("F.mse_loss(net(x), y).backward()", "net(x)"),
        ("torch.nn.functional.mse_loss(input=net(x), target=y).backward()", "net(x)"),
        ("torch.add(net(x), y).sum().backward()", "net(x)"),
        ("net(x).sub(y).sum().backward()", "net(x)"),
        ("(net(x) - y).sum().backward()", "net(x)"),
    ],
)
def test_the_other_operand_is_named(loss: str, other: str) -> None:
    (found,) = placefix.check_source(SCRIPT.format(loss=loss), name="train.py")
    assert found.message == f"`y` is still on the CPU, but `{other}` is on `device` (line 7)"
