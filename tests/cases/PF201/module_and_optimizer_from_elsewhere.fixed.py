# options: unsafe
# not run: the helpers are not at hand
import torch

from helpers import RAdam, Report, build, restore, weight_groups


def main(use_cuda, path):
    model = build()
    groups = weight_groups(model, 0.01)
    if use_cuda:
        model.cuda()
    optimizer = RAdam(groups, lr=0.1)  # want: PF201 unsafe
    if path:
        model.load_state_dict(torch.load(path, map_location="cpu"))
    report = Report(weight_groups(model, 0.01), title="weights")
    return model, optimizer, report
