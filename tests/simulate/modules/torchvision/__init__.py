"""Stands in for torchvision; placefix.simulate.fake_datasets puts the data sets in."""

from . import datasets, io, models, transforms, utils

__all__ = ["datasets", "io", "models", "transforms", "utils"]
