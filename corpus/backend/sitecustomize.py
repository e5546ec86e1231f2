"""Refuse a source distribution whose pyproject.toml sets backend-path.

Its own backend would come before the stand-ins of this folder. pip tells the hook
process about backend-path in the environment, so it ends here, before any import.
"""

import os

if os.environ.get("_PYPROJECT_HOOKS_BACKEND_PATH") or os.environ.get("PEP517_BACKEND_PATH"):
    os.write(2, b"refused: this source distribution sets backend-path\n")
    os._exit(3)
