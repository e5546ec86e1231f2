# A method `eval` reads no name of the code around; the builtin may read every one.
# run: print(unread(torch.nn.Linear(2, 1)), read_by_text(), listed(), of_another_function())
import torch


def unread(model):
    device = torch.device("cuda")
    model.eval()
    return 1


def read_by_text():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # want: PF402
    return eval("torch.zeros(3, device=device)").sum().item()


def listed():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # want: PF402
    return torch.zeros(3, **locals()).sum().item()


def of_another_function():
    device = torch.device("cuda")

    def inner():
        return eval("1 + 1")

    return inner()
