"""A project's settings."""

from drive import device

__all__ = ["device"]
