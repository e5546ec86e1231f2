"""A `# type: ignore` for the type of CUDA goes with it; other comments, and those that may have another reason, stay."""
# run: assert reduced(2.0) == 1.0 and filled(2).sum() == 6
import torch


def reduced(scalar: float) -> float:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    float_tensor = torch.tensor([scalar], dtype=torch.float32, device=device)  # want: PF407
    float_tensor /= 2
    return float_tensor.item()


def filled(n: int, names: list = ()) -> torch.Tensor:
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    ones = torch.tensor([1, 1], dtype=torch.int64, device=device).contiguous()  # noqa: E501  # want: PF407
    names = torch.tensor([1, 1], dtype=torch.int64, device=device)  # type: ignore  # want: PF407
    given = torch.tensor([1, 1], dtype=torch.int64, device=device)  # type: ignore[assignment]  # want: PF407
    other = torch.tensor([len(names)], dtype=torch.int64, device=device)  # type: ignore  # want: PF407
    return (ones + names + given) * other.clamp(max=1)
