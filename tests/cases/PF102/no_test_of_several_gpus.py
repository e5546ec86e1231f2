# The test is skipped without GPUs, and runs in either order with them: nothing to repair.
# not run: it needs pytest
import pytest
import torch


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="multi gpu required")
def test_two_gpus():
    model = torch.nn.Linear(4, 2)
    model = torch.nn.DataParallel(model, [0, 1])
    model.cuda()
    model(torch.ones(2, 4).cuda()).sum().backward()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="gpu required")
def test_one_gpu():
    model = torch.nn.Linear(4, 2)
    model = torch.nn.DataParallel(model)
    model.to("cuda")
    model(torch.ones(2, 4)).sum().backward()
