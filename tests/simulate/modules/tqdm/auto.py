"""The same."""

from tqdm import tqdm

__all__ = ["tqdm"]
