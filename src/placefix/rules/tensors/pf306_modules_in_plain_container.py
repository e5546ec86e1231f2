"""Keep modules in a ModuleList or ModuleDict.

Why:
    A module moves, trains and saves its registered parts: parameters, buffers, modules that are its attributes. It does
    not look into a list or dict. Layers in one stay on the CPU when the module is placed ("Input type (torch.cuda.FloatTensor)
    and weight type (torch.FloatTensor) should be the same"), `model.parameters()` does not give them to the optimizer, and
    `state_dict()` does not save them. Without a GPU nothing fails, and the layers are never trained.

Severity:
    An error: on every machine the layers are not trained. A warning where nothing in the repository uses the class, where
    code that is not seen makes the modules, so that they may have no parameters, where a method returns one of them, and where the class has
    no `forward`.

Fix safety:
    Unsafe: the layers become part of the model, which trains and saves them from then on. A checkpoint from before lacks them.

    | Situation | Fix | Why |
    | --- | --- | --- |
    | the constructor makes the modules itself, in a display, loop or comprehension, one of them has parameters, or may have, and the class calls them | unsafe | see above |
    | a method that the constructor calls (`self._make_layers()`) makes them | unsafe | see above |
    | the constructor is given them, as `*layers` or as a parameter with the type `List[nn.Module]`, `Dict[str, Block]`, which a docstring may give, and only keeps them | unsafe | see above |
    | the class derives from a class that is not seen, by its name one of modules, and has a `forward`; a class that is not seen makes the modules, by its name one of layers | unsafe | see above |
    | the list is given to other code, the modules are moved, or registered in another way (an attribute, `add_module`, `nn.Sequential(*layers)`) | not reported | they may be part of the model already |
    | code outside of the class moves or trains them, or passes them on | not reported | they may be right |

Example:
    self.heads = [nn.Linear(d, 1) for _ in range(n)]
    ->
    self.heads = nn.ModuleList([nn.Linear(d, 1) for _ in range(n)])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from placefix.facts import premises
from placefix.rules import PF306, messages
from placefix.rules.common import report
from placefix.rules.tensors.unregistered_modules import unregistered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from placefix.diagnostic import Diagnostic
    from placefix.facts.context import AnalysisContext


def check(context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report modules that a module keeps in a list or dict."""
    for found in unregistered(context):
        text = messages.PF306.format(kind=found.what, name=found.name)
        yield report(PF306, found._replace(premises=(premises.MEANT_TO_BE_TRAINED,)), text, messages.PF306_FIX)
