"""Knowledge distillation: a frozen teacher and a student."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

T, alpha = 4.0, 0.7


def kd_loss(student_logits, teacher_logits, labels):
    soft = F.kl_div(F.log_softmax(student_logits / T, dim=1), F.softmax(teacher_logits / T, dim=1), reduction='batchmean') * T * T
    hard = F.cross_entropy(student_logits, labels)
    return alpha * soft + (1 - alpha) * hard


def main():
    torch.manual_seed(0)
    device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
    teacher = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4)).to(device)
    student = nn.Linear(8, 4).to(device)
    if torch.cuda.device_count() > 1:
        teacher = nn.DataParallel(teacher)
        student = nn.DataParallel(student)
    for p in teacher.parameters():
        p.requires_grad = False
    teacher.eval()
    loader = DataLoader(TensorDataset(torch.randn(96, 8), torch.randint(0, 4, (96,))), batch_size=16, shuffle=True)
    opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(2):
        student.train()
        avg = 0
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            with torch.no_grad():
                t = teacher(x)
            s = student(x)
            loss = kd_loss(s, t, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            avg += loss.item() / len(loader)
        print('epoch %d: %.4f' % (epoch, avg))
    torch.save(student.state_dict(), 'student.pt')


if __name__ == '__main__':
    main()
