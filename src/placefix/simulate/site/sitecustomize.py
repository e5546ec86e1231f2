"""Puts the simulator into every Python process that a simulated script starts.

Python imports a module of this name at start, from the first folder of its path that has one; the runner
puts this folder there. A module of the same name further on is run as if this one were not here.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))


def _chain() -> None:
    others = [entry for entry in sys.path if os.path.abspath(entry or ".") != _here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


class _Installed(importlib.abc.Loader):
    """Hands over the module that is there already."""

    def __init__(self, module):
        self.module, self.spec = module, module.__spec__
        module.__spec__ = None  # or the import system would take this one, and run the module again

    def create_module(self, spec):
        """The module torch, which is imported already."""
        return self.module

    def exec_module(self, module):
        """Set the spec; the module has run."""
        module.__spec__ = self.spec


class _OnTorch(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        """On the first import of torch, install the simulator first."""
        if name != "torch" or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        from placefix.simulate import worker

        worker.join_simulation()  # imports torch
        return importlib.machinery.ModuleSpec("torch", _Installed(sys.modules["torch"]), is_package=True)


def _read_in_its_place(script: str, source: str) -> None:
    """Let the started process read the text that is being tried, too: runpy reads the script from its file."""
    import io

    original = io.open_code

    def open_code(path):
        """Opens the fixed text in the place of the script."""
        return original(source if os.path.abspath(path) == script else path)

    io.open_code = open_code


_chain()
if os.environ.get("PLACEFIX_SIMULATE"):
    _request = json.loads(os.environ["PLACEFIX_SIMULATE"])
    if _request.get("source"):
        _read_in_its_place(_request["script"], _request["source"])
    sys.meta_path.insert(0, _OnTorch())
