# rules: all
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(2, 2)  # placefix: ignore[PF112] placed below # want: PF001
model.to(device)  # placefix: ignore[PF401, PF4] one GPU, see issue #12  # want: PF001
x = torch.ones(1, 2).to(device)  # type: ignore # placefix: ignore # want: PF001
y = torch.zeros(1, 2).to(device)  # noqa: PF302 # want: PF001
z = model(  # the sum
    x + y,  # placefix:ignore[pf3]   # want: PF001
)
print(z.shape)  # placefix: ignore[] # want: PF001
