# rules: PF001,PF401,PF402
# placefix: file-ignore[PF3]
import torch  # placefix: ignore

x = torch.ones(2)  # placefix: ignore[PF301]
y = x + 1  # placefix: ignore[PF4] rules of PF4 were not asked
z = y + 1  # noqa: PF404
w = z.to("cpu")  # placefix: ignore[PF501]
