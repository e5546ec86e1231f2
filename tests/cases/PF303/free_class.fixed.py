# options: unsafe
"""A pasted script without its imports: the class is one of modules by its use, and the loop throws the move away."""
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = Model(3, 2)
model.to(device)
for data in rand_loader:
    input = data
    input = input.to(device)  # want: PF303 unsafe, warning
    output = model(input)
# given: import torch
# given: Model = torch.nn.Linear
# given: rand_loader = [torch.ones(2, 3)]
