"""Only talks about it: model.cuda(), nn.DataParallel(model).cuda(), device="cuda".

    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model.to(device)
"""
import torch

# Ältere Skripte — x = x.cuda() moves a tensor; model.to("cuda") places a module
SNIPPET = '''
optimizer = torch.optim.Adam(model.parameters())
model = torch.nn.DataParallel(model)
model.cuda()
for x, y in loader:
    loss = criterion(model(x), y)
'''
HELP = {"cuda": "use .cuda() or .to('cuda')", "device": "cuda"}


def supported(name: str) -> bool:
    return name in ("cpu", "cuda", "cuda:0")


def main():
    torch.manual_seed(142)
    print(SNIPPET.count(".cuda()"), f"{HELP['device']!r}", supported("cuda"))
    print(round(torch.rand(3).sum().item(), 5))


if __name__ == "__main__":
    main()
