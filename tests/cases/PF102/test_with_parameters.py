# A test that runs without GPUs as well is code like any other.
# not run: pytest calls the test, with the parameters of its decorator
import pytest
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


@pytest.mark.parametrize("width", [2, 3])
def test_width(width):
    model = torch.nn.Linear(width, 2)
    model = torch.nn.DataParallel(model)  # want: PF102
    model.to(device)
    model(torch.ones(2, width, device=device)).sum().backward()
