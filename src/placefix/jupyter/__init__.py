"""Jupyter: the language server as jupyter-lsp finds it, and magics for IPython (`magics`)."""

from __future__ import annotations

import sys
from typing import Any


def language_server_spec(manager: object) -> dict[str, dict[str, Any]]:
    """How jupyter-lsp starts `placefix server`: the entry point `jupyter_lsp_spec_v1`.

    manager: jupyter-lsp's LanguageServerManager, not used.
    """
    return {
        "placefix": {
            "version": 2,
            "display_name": "placefix",
            "argv": [sys.executable, "-m", "placefix", "server"],
            "languages": ["python"],
            "mime_types": ["text/x-python", "text/x-ipython"],
            "troubleshoot": "Install placefix with its server extra in the environment of JupyterLab.",
        }
    }
