# In an f-string a new string gets the quotes that the f-string leaves; where it leaves none there is no fix.
# options: unsafe
# not run: it reads files that it does not make
import torch

names = ["a", "b", "c"]
net = torch.nn.Linear(2, 2)
print(f"{net.load_state_dict(torch.load(names[0]))}")  # want: PF405 unsafe
print(f'{net.load_state_dict(torch.load(names[1]))}')  # want: PF405 unsafe
print(f"""{net.load_state_dict(torch.load(names[2]))}""")  # want: PF405 unsafe
print(f"{f'{net.load_state_dict(torch.load(names[0]))}'}")  # want: PF405 report
