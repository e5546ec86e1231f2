"""What a guard makes, or does between its moves, does not come apart; neither do comments from what they say."""
import torch
from torch import nn

seed = 3
model = nn.Linear(4, 1)
x = torch.ones(2, 4)

if torch.cuda.is_available():  # want: PF403 note
    torch.cuda.manual_seed(seed)
    extra = torch.ones(2)
    extra = extra.cuda()

if torch.cuda.is_available():  # want: PF403 note
    # the batch goes where the model is
    x = x.cuda()
    torch.cuda.empty_cache()

if torch.cuda.is_available():  # want: PF403 note
    torch.cuda.manual_seed(seed)
    x = x.cuda()
    print(x.sum())

if torch.cuda.is_available():  # want: PF403 note
    torch.cuda.empty_cache(); x = x.cuda()
