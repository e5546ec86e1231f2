"""Name the device that a checkpoint is loaded to.

Why:
    Without `map_location`, `torch.load` puts every tensor back on the device it was saved from. A
    checkpoint of a GPU then cannot be read on a machine without CUDA ("Attempting to deserialize
    object on a CUDA device"), nor one of `cuda:3` on a machine with one GPU; and each process of a
    distributed program loads its own copy onto the GPU of the process that saved it: with eight processes there are eight on cuda:0.

Fix safety:
    Safe by default: `load_state_dict` copies each tensor to where its module or optimizer is, so it does not matter where the file was loaded
    to. `copy_` does the same for one tensor.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | the weights of one module, loaded by `load_state_dict` | safe, the device in scope | they are copied there anyway |
    | a checkpoint of modules and optimizers, also by way of another dict that takes its values by name | safe, `"cpu"` | the state of random generators must stay on the CPU |
    | the receiver of `load_state_dict` is not known to be a module or optimizer of torch | unsafe | it may keep the tensors where they are |
    | more is read of the checkpoint than sizes, types and numbers: a tensor, its device, its text | unsafe | that stays on the CPU then |
    | a whole model or tensor, or an item of the checkpoint, moved directly after the load | unsafe | something else of it may be needed on the GPU |
    | a model or tensor that is moved directly after the load to a device that is known by its name alone (`.to(cfg["device"])`) | unsafe, `"cpu"` | something else of it may be needed on the GPU |
    | a checkpoint by the name of the value, of the file, of a key, of the function that gets it (`checkpoint`, `model.pt`, `"state_dict"`) that goes elsewhere: it is returned, averaged, converted | unsafe, `"cpu"` or the function's own `map_location` | the names are the only evidence |
    | another load binds the same name, and has a location or is to have one | unsafe, `"cpu"` or the function's own `map_location` | that one is the only evidence |
    | any of these unsafe fixes in a file whose `.cuda()` calls, tests for CUDA or device strings other safe fixes replace, and that names no other accelerator | safe, `None if torch.cuda.is_available() else "cpu"`, or the file's own name for that | where there is CUDA it is loaded to where it was; where there is none the load failed, or the CPU is where it was |
    | every run of the function, or of the constructor of its object, needs CUDA all the same | no fix | the program would fail at another line |
    | `torch.jit.load` | no fix | it is another function |
    | a test for CUDA, or the handler of a `try` that may catch its failure, chooses between two ways of loading | not reported | it works |
    | data or embeddings that are not loaded into a module; loads of tests; files of a framework like accelerate itself | not reported | nothing shows which device they need |

Example:
    model.load_state_dict(torch.load("best.pt"))
    ->
    model.load_state_dict(torch.load("best.pt", map_location=device))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.rules import PF405, messages
from placefix.rules.common import respelled
from placefix.rules.cuda.checkpoint_loads import Loads
from placefix.rules.ordering.process_groups import ProcessGroups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report loads of checkpoints without `map_location`."""
    loads = context.get(Loads)
    row = context.get(ProcessGroups).first_row if "init_process_group" in context.source.text else 0
    for found in loads.unmapped():
        text = messages.PF405.format(what=found.what)
        if row and loads.is_in_every_process(found.span):
            text += messages.PF405_RANKS.format(row=row)
        yield respelled(PF405, found, text, messages.PF405_FIX)
