import itertools
import torch
import torch.nn as nn

torch.manual_seed(7)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
encoder = nn.Linear(6, 4)
decoder = nn.Linear(4, 2)
params = [p for p in itertools.chain(encoder.parameters(), decoder.parameters()) if p.requires_grad]
optimizer = torch.optim.RMSprop(params, lr=1e-2)  # want: PF201
encoder, decoder = encoder.to(device), decoder.to(device)
model = nn.Sequential(encoder, decoder)
for step in range(3):
    x = torch.randn(4, 6).to(device)
    y = torch.randint(0, 2, (4,)).to(device)
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 5))
