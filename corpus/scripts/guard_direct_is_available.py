# Fully convolutional denoiser; each placement asks torch.cuda.is_available() itself.
import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(37)

clean = torch.rand(24, 1, 6, 6)
noisy = clean + 0.1 * torch.randn(24, 1, 6, 6)
dataloader = DataLoader(TensorDataset(noisy, clean), batch_size=6, shuffle=False)

model = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1),
    nn.ReLU(True),
    nn.Conv2d(4, 1, 3, padding=1),
)
criterion = nn.MSELoss()
if torch.cuda.is_available():
    model = model.cuda()
    criterion = criterion.cuda()
optimizer = optim.Adam(model.parameters(), lr=1e-2)

for epoch in range(2):
    for i, (img, target) in enumerate(dataloader, 1):
        if torch.cuda.is_available():
            img = Variable(img.cuda())
            target = Variable(target.cuda())
        else:
            img = Variable(img)
            target = Variable(target)
        out = model(img)
        loss = criterion(out, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print('epoch {}/{}, loss: {:.6f}'.format(epoch + 1, 2, loss.item()))
