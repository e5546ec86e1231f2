"""A comprehension or lambda in the body of a class does not see the names of the class."""
from dataclasses import dataclass, field

import torch


class Settings:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    levels = [torch.ones(n).cuda() for n in (1, 2)]  # want: PF401 report
    start = staticmethod(lambda n: torch.ones(n).cuda())  # want: PF401 report


@dataclass
class Options:
    device: str = "cpu"
    weight: torch.Tensor = field(default_factory=lambda: torch.ones(3).cuda())  # want: PF401 report
