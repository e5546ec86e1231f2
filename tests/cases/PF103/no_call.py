import torch
import torch.nn as nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.DataParallel(nn.Linear(6, 2))
torch.save(model.module.state_dict(), "start.pt")
