# options: unsafe
# A star import may bind nn: what nn.DataParallel is, nobody knows.
from common import *

model = nn.DataParallel(model)
model.to(device)
