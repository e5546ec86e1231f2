import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.cls = nn.Linear(16, 3)
        self.reg = nn.Linear(16, 1)

    def forward(self, x):
        h = self.trunk(x)
        return {'logits': self.cls(h), 'value': self.reg(h).squeeze(-1)}


class MultiLoss(nn.Module):
    def __init__(self, alpha=0.3):
        super().__init__()
        self.alpha = alpha
        self.ce = nn.CrossEntropyLoss()
        self.l1 = nn.SmoothL1Loss()

    def forward(self, out, y, v):
        lc = self.ce(out['logits'], y)
        lr = self.l1(out['value'], v)
        return lc + self.alpha * lr, lc, lr


def main():
    torch.manual_seed(0)
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    ds = TensorDataset(torch.randn(96, 8), torch.randint(0, 3, (96,)), torch.randn(96))
    dl = DataLoader(ds, batch_size=16, shuffle=True)
    model = MultiTask().to(device)
    if torch.cuda.device_count() > 1:
        model = nn.DataParallel(model)
    loss_fn = MultiLoss().to(device)
    opt = torch.optim.Adam([{'params': model.parameters(), 'lr': 1e-3}])
    for epoch in range(2):
        for step, (x, y, v) in enumerate(dl):
            x, y, v = x.to(device), y.to(device), v.to(device)
            out = model(x)
            loss, lc, lr = loss_fn(out, y, v)
            opt.zero_grad()
            loss.backward()
            opt.step()
            if step % 2 == 0:
                print(f'{epoch}/{step}: total={loss.item():.4f} cls={lc.item():.4f} reg={lr.item():.4f}')


if __name__ == '__main__':
    main()
