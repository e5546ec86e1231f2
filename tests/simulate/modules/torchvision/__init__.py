"""Stands in for torchvision; placefix.simulate.stubs puts the data sets in."""

from . import datasets, models, transforms, utils

__all__ = ["datasets", "models", "transforms", "utils"]
