# rules: all
import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(2, 2)  # want: PF001
model.to(device)  # want: PF001
x = torch.ones(1, 2).to(device)  # type: ignore # want: PF001
y = torch.zeros(1, 2).to(device)  # want: PF001
z = model(  # the sum
    x + y,  # want: PF001
)
print(z.shape)  # want: PF001
