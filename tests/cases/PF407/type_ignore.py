"""A `# type: ignore` for the type of CUDA goes with it; other comments, and those that may have another reason, stay."""
# run: assert reduced(2.0) == 1.0 and filled(2).sum() == 6
import torch


def reduced(scalar: float) -> float:
    float_tensor = torch.cuda.FloatTensor([scalar])  # type: ignore  # want: PF407
    float_tensor /= 2
    return float_tensor.item()


def filled(n: int, names: list = ()) -> torch.Tensor:
    ones = torch.cuda.LongTensor([1, 1]).contiguous()  # type: ignore[attr-defined]  # noqa: E501  # want: PF407
    names = torch.cuda.LongTensor([1, 1])  # type: ignore  # want: PF407
    given = torch.cuda.LongTensor([1, 1])  # type: ignore[assignment]  # want: PF407
    other = torch.cuda.LongTensor([len(names)])  # type: ignore  # want: PF407
    return (ones + names + given) * other.clamp(max=1)
