"""A type that is compared, or only named by an annotation, makes nothing: neither is a comment of it changed."""
import torch


def is_placed(x: torch.Tensor) -> bool:
    return x.type() == "torch.cuda.FloatTensor"  # type: ignore


def halves(x: "torch.cuda.FloatTensor") -> torch.Tensor:  # type: ignore
    return x / 2


print(is_placed(torch.ones(2)), halves(torch.ones(2)))
