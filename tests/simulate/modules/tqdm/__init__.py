"""A bar that is not drawn."""

from collections.abc import Iterator
from typing import Any


class tqdm:  # noqa: N801
    """Yields what it is given."""

    def __init__(self, items: Any, **options: Any) -> None:
        self.items = items

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __enter__(self) -> "tqdm":
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def set_postfix(self, **values: Any) -> None:
        """Numbers, or it could not show them."""
        assert all(isinstance(value, float) for value in values.values())

    def set_description(self, text: str) -> None:
        """Nothing to see."""
