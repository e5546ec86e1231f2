"""The README and the links of the package page. hatch calls this while it builds the sdist, the wheel or an editable install.

A package index shows the README without the files beside it, so relative links do not work there. With `address` set in
pyproject.toml they become links into the public repository; without it, plain text.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_IMAGE = re.compile(r"!\[([^\]]*)\]\((?!https?://)([^)\s]+)\)")
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?://|#)([^)\s]+)\)")


class PackagePage(MetadataHookInterface):
    """Sets `readme` and `urls`."""

    def update(self, metadata: dict[str, Any]) -> None:
        address = self.config["address"].rstrip("/")
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme(text, address)}
        metadata["urls"] = {"Repository": address, "Changelog": f"{address}/blob/HEAD/CHANGELOG.md"} if address else {}


def readme(text: str, address: str) -> str:
    """The README for a package page: links lead to the repository at `address`, or are plain text where that is empty."""
    if address:
        text = _IMAGE.sub(rf"![\1]({address}/raw/HEAD/\2)", text)
        return _LINK.sub(rf"[\1]({address}/blob/HEAD/\2)", text)
    return _LINK.sub(lambda link: link[1] if link[1] in link[2] else f"{link[1]} ({link[2]})", _IMAGE.sub("", text))


def get_metadata_hook() -> type[MetadataHookInterface]:
    return PackagePage
