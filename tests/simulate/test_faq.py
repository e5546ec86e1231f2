"""What docs/faq.md says about torch, tried: a few lines for a question, on two simulated devices.

What it says of DistributedDataParallel is tried in `battery/distributed.txt`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from placefix.simulate.judgement import first_failure
from placefix.simulate.request import Request

if TYPE_CHECKING:
    from placefix.simulate.client import Simulator

PAGE = (Path(__file__).parents[2] / "docs" / "faq.md").read_text(encoding="utf-8")
HEAD = """
import torch
from torch import nn

def fails(run, kind=Exception):
    try:
        run()
    except kind:
        return True
    return False

def trains(optimizer, model):
    before = model.weight.detach().cpu().clone()
    model(torch.ones(2, 3).cuda()).sum().backward()
    optimizer.step()
    return not torch.equal(before, model.weight.detach().cpu())
"""

TRIED = {
    "Does `.to(device)` remove hooks?": """
calls = []
model = nn.Linear(3, 2)
model.register_full_backward_hook(lambda *given: calls.append("module"))
model.weight.register_hook(lambda grad: calls.append("parameter"))
model.weight.register_post_accumulate_grad_hook(lambda parameter: calls.append("accumulated"))
node = model.weight.expand_as(model.weight).grad_fn.next_functions[0][0]
node.register_hook(lambda *given: calls.append("node"))
model(torch.ones(2, 3, requires_grad=True)).sum().backward()
assert sorted(calls) == ["accumulated", "module", "node", "parameter"], calls
calls.clear()
model.cuda()
model(torch.ones(2, 3).cuda().requires_grad_()).sum().backward()
assert sorted(calls) == ["accumulated", "module", "parameter"], calls
""",
    "Does `.to(device)` return a new module?": """
        model, x = nn.Linear(3, 2), torch.ones(2)
        assert model.to("cuda") is model and model.weight.is_cuda
        x.to("cuda")
        assert not x.is_cuda and x.to("cpu") is x
    """,
    "Are the parameters other objects after `.to(device)`?": """
        model = nn.BatchNorm1d(3)
        weight, mean = model.weight, model.running_mean
        model.cuda()
        assert model.weight is weight and weight.is_cuda
        assert model.running_mean is not mean and not mean.is_cuda
    """,
    "Why does my tensor in `__init__` stay behind?": """
        model = nn.Module()
        model.mean = torch.zeros(3)
        model.register_buffer("kept", torch.zeros(3), persistent=False)
        model.cuda()
        assert not model.mean.is_cuda and model.kept.is_cuda and not model.state_dict()
    """,
    "Is `nn.Parameter(x).cuda()` the same as `nn.Parameter(x.cuda())`?": """
        model = nn.Module()
        model.first = nn.Parameter(torch.ones(3)).cuda()
        model.second = nn.Parameter(torch.ones(3).cuda())
        assert [name for name, _ in model.named_parameters()] == ["second"]
    """,
    "Is `x.to(None)` like `x.cuda(None)`?": """
        x = torch.ones(3)
        assert not x.to(None).is_cuda and x.cuda(None).is_cuda
    """,
    "Must the optimizer always be built after `.to(device)`?": """
        for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
            model = nn.Linear(3, 2)
            optimizer = kind(model.parameters(), lr=0.1)
            model.cuda()
            assert trains(optimizer, model)
        model = nn.Linear(3, 2)
        optimizer = torch.optim.Adagrad(model.parameters(), lr=0.1)
        model.cuda()
        assert fails(lambda: trains(optimizer, model), RuntimeError)
    """,
    "May I load the optimizer's state before I move the model?": """
        old = nn.Linear(3, 2)
        saved = torch.optim.Adam(old.parameters())
        old(torch.ones(1, 3)).sum().backward()
        saved.step()
        model = nn.Linear(3, 2)
        optimizer = torch.optim.Adam(model.parameters())
        optimizer.load_state_dict(saved.state_dict())
        model.cuda()
        assert fails(lambda: trains(optimizer, model), RuntimeError)
    """,
    "Is `.cuda()` after `DataParallel(model)` an error?": """
        model = nn.DataParallel(nn.Linear(3, 2)).cuda()
        assert model(torch.ones(4, 3).cuda()).shape == (4, 2)
    """,
    "Does it replace parameters by proxies?": """
        model = nn.Linear(3, 2)
        wrapper = nn.DataParallel(model)
        assert wrapper.module is model and next(wrapper.parameters()) is model.weight
    """,
    "Does moving the inputs bypass its scatter?": """
        model = nn.DataParallel(nn.Linear(3, 2)).cuda()
        for x in (torch.ones(4, 3), torch.ones(4, 3).cuda()):
            assert model(x).is_cuda
        y = torch.zeros(4, dtype=torch.long)
        assert fails(lambda: nn.functional.cross_entropy(model(x), y), RuntimeError)
        nn.functional.cross_entropy(model(x), y.cuda())
    """,
    "Does it return one output per GPU, to be averaged?": """
        class Loss(nn.Module):
            def __init__(self):
                super().__init__()
                self.fc = nn.Linear(3, 2)

            def forward(self, x):
                return self.fc(x).sum()

        assert nn.DataParallel(nn.Linear(3, 2)).cuda()(torch.ones(4, 3)).shape == (4, 2)
        import warnings
        warnings.simplefilter("ignore")
        loss = nn.DataParallel(Loss()).cuda()(torch.ones(4, 3))
        assert loss.shape == (2,) and fails(loss.backward, RuntimeError)
        loss.mean().backward()
    """,
    "Must every tensor in an operation be on one device?": """
        x = torch.ones(4, 3).cuda()
        x + torch.tensor(1.0)
        x[torch.tensor([0, 1])]
        assert fails(lambda: x + torch.ones(3), RuntimeError)
        assert fails(lambda: torch.ones(4)[torch.tensor([0]).cuda()], RuntimeError)
        pack = nn.utils.rnn.pack_padded_sequence
        lengths = torch.tensor([3, 3, 2, 1])
        pack(x, lengths, batch_first=True)
        assert fails(lambda: pack(x, lengths.cuda(), batch_first=True), RuntimeError)
    """,
    "Does a loss need `.to(device)`?": """
        out, y = torch.ones(4, 2).cuda(), torch.zeros(4, dtype=torch.long).cuda()
        nn.CrossEntropyLoss()(out, y)
        loss = nn.CrossEntropyLoss(weight=torch.ones(2))
        assert fails(lambda: loss(out, y), RuntimeError)
        loss.to("cuda")(out, y)
    """,
    "`autocast(device)` raises?": """
        assert fails(lambda: torch.autocast(torch.device("cuda")))
        torch.autocast(torch.device("cuda").type)
        assert torch.get_autocast_dtype("cpu") is torch.bfloat16
    """,
}
WITHOUT = {
    "Which functions of torch.cuda fail without CUDA?": """
        for run in (torch.cuda.synchronize, torch.cuda.current_device, lambda: torch.cuda.set_device(0), torch.ones(1).cuda):
            assert fails(run)
        torch.cuda.manual_seed(0), torch.cuda.manual_seed_all(0), torch.cuda.empty_cache(), torch.cuda.max_memory_allocated()
    """,
}


@pytest.mark.parametrize("question", [*TRIED, *WITHOUT])
def test_it_is_so(question: str, simulator: Simulator, tmp_path: Path) -> None:
    assert f"\n### {question}\n" in PAGE
    lines = (TRIED | WITHOUT)[question].split("\n")
    script = tmp_path / "faq.py"
    script.write_text(HEAD + re.sub(r"^ {8}", "", "\n".join(lines), flags=re.MULTILINE), encoding="utf-8")
    report = simulator.run(
        Request(str(script), folder=str(tmp_path), devices=2 if question in TRIED else 0, timeout=600)
    )
    assert first_failure(report) is None, report["err"]
