"""Take a tensor to the CPU before numpy reads it.

Why:
    numpy reads the memory of the host. A tensor of a device refuses: "can't convert cuda:0 device
    type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."

Severity:
    An error if the tensor is shown to be on a device. A warning if only other lines of the function suggest that it may be.

Fix safety:
    Safe by default: `.cpu()` is added before `.numpy()`, or at the argument of `np.asarray` and `np.array`. For a tensor on the CPU it returns
    the tensor itself, which shares its memory with the array as before.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | the tensor is shown to be on the device where the script places things | safe | numpy raises otherwise |
    | it is a parameter of a module that is on the device (`net.fc.weight.data`, `p.grad` in a loop over `net.parameters()`, a value of `net.state_dict()`) | safe | parameters lie with their module |
    | the function itself assumes any device: it copies the tensor, or something computed with it, to the CPU elsewhere, or makes something with `device=x.device` | safe | `.cpu()` never changes a program that ran |
    | it is computed from the result of a module that is not seen and gets tensors on a device, or one of several results of a module of which another is copied | unsafe | the module may return it on the CPU |
    | it is a tensor that the function copies or places on some path, or is computed with one | unsafe | each operand is assumed to be a tensor with a dimension |
    | it is read under the test under which it is made on the CPU (`if is_array: x = torch.from_numpy(x)`) | not reported | it is on the CPU there |
    | a framework places things in the file | as above | numpy reads no device, whoever has placed the tensor |
    | it is detached from a graph (`.detach()`, `.grad`, `.backward()`), and the function copies or places another tensor | unsafe | a module on a device is assumed to have computed it |
    | it is computed of a tensor that the function places, by something with the name of a module (`model`, `self.network`, `criterion`) | unsafe | the module is assumed to return a tensor of that device |
    | a method of a module that is not seen (`model.predict(x)`) gets tensors on a device and returns it | unsafe | the method is assumed to return a tensor of that device |
    | a function that is not seen places it, by its name (`to_cuda(x)`) | unsafe | the function is assumed to place it |
    | a result computed of it goes to its device again (`torch.from_numpy(…).to(x.device)`), or to that of a tensor that is copied beside it | unsafe | the function is meant for tensors of any device |
    | it is an argument of the `forward` of a module, and a result computed of it goes to a device again (`torch.from_numpy(…).cuda()`) | unsafe | the input of a module lies with it |
    | it is part of a graph, as above, in a method of a class of which another method places something | unsafe | a module on a device is assumed to have computed it |
    | it is an item of an argument of which another item is copied, as all else is that numpy reads; or `forward` of something computed it of what holds a copied item | unsafe | the items are assumed to arrive on one device |
    | it is computed with a tensor whose device the function reads (`device = x.device`) | unsafe | the function is meant for tensors of any device |
    | the tensor requires grad | `.detach()` is not added | that fails on the CPU as well |

Example:
    scores = model(x.to(device))          scores = model(x.to(device))
    all.append(scores.numpy())        ->  all.append(scores.cpu().numpy())
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from placefix.rules import PF310, messages
from placefix.rules.common import misplaced
from placefix.rules.tensors.companion_batches import CompanionBatches
from placefix.rules.tensors.numpy_reads import NumpyReads
from placefix.rules.tensors.sibling_evidence import SiblingEvidence
from placefix.rules.tensors.unplaced_modules import UnplacedModules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report tensors on a device that numpy reads."""
    return _reported(context)


def _reported(context: AnalysisContext) -> Iterator[Diagnostic]:
    seen = set()
    for found in context.get(UnplacedModules).read_on_host("numpy"):
        seen.add(found.span)
        yield misplaced(PF310, found, messages.PF310, messages.PF310_FIX)
    shown = context.get(SiblingEvidence).numpy(), context.get(CompanionBatches).read_by_numpy()
    for found in chain(*shown, context.get(NumpyReads).found()):
        if found.span not in seen:
            seen.add(found.span)
            yield misplaced(PF310, found, messages.PF310_TWIN, messages.PF310_FIX)
    for found in context.get(UnplacedModules).read_on_host("numpy list"):
        yield misplaced(PF310, found, messages.PF310_LIST, "")
