"""Small random data in the place of torchvision's datasets: a run needs some, not these."""

from __future__ import annotations

import sys
import types
from typing import Any

_CLASSES = {
    "MNIST": (1, 28, 10), "FashionMNIST": (1, 28, 10), "KMNIST": (1, 28, 10), "QMNIST": (1, 28, 10),
    "EMNIST": (1, 28, 47), "USPS": (1, 16, 10), "CIFAR10": (3, 32, 10), "CIFAR100": (3, 32, 100),
    "SVHN": (3, 32, 10), "STL10": (3, 96, 10), "ImageFolder": (3, 64, 4), "ImageNet": (3, 224, 1000),
    "CelebA": (3, 64, 40), "FakeData": (3, 224, 10), "Places365": (3, 224, 365), "LSUN": (3, 64, 10),
}  # fmt: skip
_LENGTH = 256


def _dataset(name: str) -> type:
    import torch
    from torch.utils.data import Dataset

    channels, size, count = _CLASSES[name]

    class Stub(Dataset):
        """Random images and labels with the attributes of a torchvision dataset."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            self.transform, self.target_transform = options.get("transform"), options.get("target_transform")
            generator = torch.Generator().manual_seed(0)
            self.data = torch.rand(_LENGTH, channels, size, size, generator=generator)
            self.targets = torch.randint(count, (_LENGTH,), generator=generator).tolist()
            self.classes = [str(number) for number in range(count)]
            self.class_to_idx = {name: number for number, name in enumerate(self.classes)}
            self.samples = self.imgs = list(zip(self.classes * _LENGTH, self.targets, strict=False))

        def __len__(self) -> int:
            return _LENGTH

        def __getitem__(self, index: int) -> tuple[Any, Any]:
            image: Any = self.data[index]
            target: Any = self.targets[index]
            # The images are those after ToTensor; a transform that needs a PIL image fails, and is skipped.
            if self.transform is not None:
                try:
                    image = self.transform(image)
                except Exception:
                    image = self.data[index]
            if self.target_transform is not None:
                target = self.target_transform(target)
            return image, target

    Stub.__name__ = Stub.__qualname__ = name
    return Stub


def _stand_in() -> dict[str, types.ModuleType]:
    """Replaces torchvision where it is not installed: datasets, and transforms that return their input."""

    class Pass:
        """A transform that returns its input."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            self.arguments = arguments

        def __call__(self, value: Any) -> Any:
            return value

    class Compose(Pass):
        """Applies its transforms in order."""

        def __call__(self, value: Any) -> Any:
            for step in self.arguments[0]:
                value = step(value)
            return value

    transforms: Any = types.ModuleType("torchvision.transforms")
    transforms.Compose = Compose
    transforms.__getattr__ = lambda name: Pass
    datasets: Any = types.ModuleType("torchvision.datasets")
    torchvision: Any = types.ModuleType("torchvision")
    torchvision.__path__ = []
    torchvision.datasets, torchvision.transforms = datasets, transforms
    return {"torchvision": torchvision, "torchvision.datasets": datasets, "torchvision.transforms": transforms}


def install_fake_datasets() -> None:
    """Replace torchvision's datasets in this process, and torchvision itself if it is not installed."""
    try:
        import torchvision.datasets as datasets
    except ImportError:
        modules = _stand_in()
        sys.modules.update(modules)
        datasets = modules["torchvision.datasets"]
    for name in _CLASSES:
        setattr(datasets, name, _dataset(name))
