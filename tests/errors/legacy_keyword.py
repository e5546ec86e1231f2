# message: SyntaxError: invalid syntax
# rules: PF400
import torch

x = torch.ones(3)
if torch.cuda.is_available():
    x = x.cuda(async=True)
