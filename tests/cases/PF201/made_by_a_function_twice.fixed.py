import torch
import torch.nn as nn


def make_optimizer(args, model):
    if args["optimizer"] == "adagrad":
        optimizer = torch.optim.Adagrad(model.parameters(), lr=args["lr"])
    elif args["optimizer"] == "sgd":
        optimizer = torch.optim.SGD(model.parameters(), lr=args["lr"], momentum=0.9)
    else:
        raise ValueError("no such optimizer")
    return optimizer


def main(args):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    teacher = nn.Linear(6, 2).to(device)
    student = nn.Linear(6, 2)
    opt_t = make_optimizer(args, teacher)
    student = student.to(device)
    opt_s = make_optimizer(args, student)  # want: PF201
    scheduler = torch.optim.lr_scheduler.StepLR(opt_s, 2)
    if args["epochs"] < 1:
        raise ValueError("nothing to do")
    for _ in range(args["epochs"]):
        x = torch.ones(4, 6, device=device)
        opt_t.zero_grad()
        opt_s.zero_grad()
        ((student(x) - teacher(x) - 1) ** 2).mean().backward()
        opt_t.step()
        opt_s.step()
        scheduler.step()
    return student, teacher


torch.manual_seed(3)
for name in ("adagrad", "sgd"):
    student, teacher = main({"optimizer": name, "lr": 0.1, "epochs": 3})
    print(round(student.weight.sum().item(), 4), round(teacher.weight.sum().item(), 4))
