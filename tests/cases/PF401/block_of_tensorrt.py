# options: unsafe
"""A block that makes an engine of TensorRT, which needs a GPU: what it makes for the engine stays on CUDA."""
# not run: there is no torch2trt
import torch


def evaluate(model, loader, engine_file=None):
    if engine_file is not None:
        from torch2trt import TRTModule

        engine = TRTModule()
        engine.load_state_dict(torch.load(engine_file))
        x = torch.ones(1, 3, 8, 8).cuda()  # want: PF401 note
        engine(x)
        model = engine
    total = torch.zeros(1).cuda()  # want: PF401 unsafe
    for batch in loader:
        total += model(batch).sum()
    return total


def scored(model, start):
    if is_trt_model(model):
        return start
    return torch.zeros(2).cuda() + start_of(model)  # want: PF401 unsafe
