import torch

start = torch.cuda.Event(enable_timing=True)  # want: PF406 report
side = torch.cuda.Stream()  # want: PF406 report
side.wait_stream(torch.cuda.current_stream())  # want: PF406 report
start.record()
