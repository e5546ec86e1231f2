"""A build backend that builds nothing: it copies name and version from PKG-INFO.

`pip download` asks the backend of a source distribution for its metadata before
it keeps the file. With this folder first on PYTHONPATH the question is answered
here, under the names of the usual backends, and no code of the distribution runs.
"""

from __future__ import annotations

import os
import re
import sys
from email.parser import HeaderParser
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    with open("PKG-INFO", encoding="utf-8", errors="replace") as handle:
        headers = HeaderParser().parse(handle)
    name, version = headers["Name"], headers["Version"]
    # Installers split the folder's name at its hyphens.
    folder = f"{re.sub('[-_. ]+', '_', name)}-{version}.dist-info"
    os.mkdir(os.path.join(metadata_directory, folder))
    with open(os.path.join(metadata_directory, folder, "METADATA"), "w", encoding="utf-8") as handle:
        handle.write(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    return folder


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    raise RuntimeError("the corpus is never built")


build_sdist = build_wheel


def offer(module: ModuleType) -> None:
    """Make `module` answer as a backend, and as `module:__legacy__` too."""
    for hook in (get_requires_for_build_wheel, prepare_metadata_for_build_wheel, build_wheel):
        setattr(module, hook.__name__, hook)
    module.__legacy__ = sys.modules[__name__]
