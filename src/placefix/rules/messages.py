"""The messages of the rules and the titles of their fixes, by rule. Edit a message here and nowhere else.

A field in braces is filled in by the rule. Names and code are in backticks already, unless the template adds them.
"""

from __future__ import annotations

NOT_FIXED = "not fixed: {reason}"
KEPT = "kept: {reason}"

PF101_WITH_IDS = (
    "DistributedDataParallel gets `device_ids` and a module that is not placed yet: its constructor raises a ValueError"
)
PF101 = "the module is placed after DistributedDataParallel wraps it: NCCL refuses it; with gloo its gradient hooks are lost without an error"
PF101_NOT_SEEN = "; where it is before that is not known"
PF101_FIX = "place the module before wrapping it"

PF102 = "the module is placed after DataParallel wraps it; this works, but the usual order is place, then wrap"
PF102_FIX = "place the module before wrapping it"

PF103 = "DataParallel wraps a module that is never placed: with two or more GPUs its forward raises"
PF103_ARM = (
    "DataParallel wraps a module that is placed only in another branch: with two or more GPUs its forward raises"
)
PF103_FIX = "place the module inside the wrap"

PF104 = "the module is on cuda:{held}, but DataParallel copies it from cuda:{first} (device_ids[0]): its forward raises"

PF105_SEVERAL = (
    "DistributedDataParallel takes one device id, the GPU of its process: with more its constructor raises a ValueError"
)
PF105_CPU = (
    "DistributedDataParallel gets `device_ids` and a module that is never placed: its constructor raises a ValueError"
)
PF105_ELSEWHERE = "the module is on cuda:{held}, but DistributedDataParallel moves its inputs to cuda:{given} (device_ids): its forward raises"
PF105_FIX = "place the module on the GPU of `device_ids`"

PF106 = "the module is moved while DistributedDataParallel wraps it: from here on the processes no longer average their gradients"

PF107 = (
    "DataParallel in a process of a distributed run (its process group starts in line {row}): "
    "with two or more processes each trains a separate model, because DataParallel averages no gradients between them"
)
PF107_FIRST_GPU = "; where the module is not on the first GPU, its forward raises"
PF107_NOT_TRAINED = "; nothing here trains it"
PF107_DDP = "; another path of this file uses DistributedDataParallel"
PF107_REDUCES = "; a collective of this file may average them"
PF107_NOTE = "not fixed: DistributedDataParallel is meant, which also needs a sampler for each process"

PF108 = (
    "the optimizer is built before {shard} (line {row}) replaces the parameters of the module: its steps change nothing"
)
PF108_NOTE = "not fixed: build the optimizer, and all that uses it, after line {row}"

PF111 = "nothing selects the GPU of this process: every process puts the module on cuda:0, which NCCL refuses"
PF111_IDS = "nothing selects the GPU of this process: every process puts the module on cuda:0, and DistributedDataParallel moves the inputs to `{given}`"
PF111_NOTE = "not fixed: call `torch.cuda.set_device(local_rank)` before anything is placed, or place by `local_rank`"

PF112 = "{names} is never placed, but it is called with tensors on a device"
PF112_AVERAGE = "{names} is never placed, but a loop computes with its parameters and those of a module on a device"
PF112_UNREAD = "{names} is never placed, and the function does not read `{device}`, which it gets"
PF112_FIX = "place the module"
PF112_PART = "{names} stays on the CPU: the module that it belongs to was placed before"
PF112_PART_FIX = "place the new part"

PF412 = "nothing calls `set_epoch` of this sampler: each epoch of the loop in line {loop} has the same order"
PF412_FIX = "tell the sampler the epoch"
PF412_SHUFFLE = "DataLoader raises a ValueError if it gets `shuffle=True` and a sampler"
PF412_SHUFFLE_FIX = "leave the order to the sampler"

PF113 = "`{name}` is a {what}, which has no attribute `{attr}` of the module inside: this raises an AttributeError"
PF113_FIX = "read it of the module inside"

PF201 = "{what}; the usual order is place, then optimize"
PF201_WORKS = "{name} is built before the module is placed; this works on CPU, CUDA, MPS and XPU"
PF201_STATE = "the optimizer is built before the module is placed; {names} makes its state when it is built, and its first step fails"
PF201_STATES = "the optimizer is built before the module is placed; {names} make their state when they are built, and their first step fails"
PF201_FAILS = (
    "{name} makes its state when it is built: before the placement that is on the CPU, and the first step fails"
)
PF201_ZERO = (
    "ZeroRedundancyOptimizer stores the device of its parameters when it is built, and the module is placed later"
)
PF201_FUSED = "{name}(fused=True) checks the device of its parameters when it is built (before torch 2.5), and the module is placed later"
PF201_NOT_KNOWN = (
    "{name} is built before the module is placed; it is not known whether its constructor stores the parameters"
)
PF201_SOME_FAIL = (
    "the optimizer is built before the module is placed; some classes (Adagrad) then fail at the first step"
)
THE_OPTIMIZER = "the optimizer"
PF201_FIX = "build the optimizer after the placement"
PF203 = "the optimizer loads or makes its state before its module is placed: the state stays on the CPU, and the next step fails"

PF205 = "`{text}(…)` is moved after it was made: on a device the result is not a Parameter, so it is not trained"
PF205_CONSTANT = "`{text}(…)` is moved after it was made: on a device the result is not a Parameter, so the module does not register it"
PF205_THERE = "; if the tensor is there already, nothing moves"
PF205_FIX = "move the tensor, then make the Parameter"

PF208 = "the placement in {row} gives the parameters new nodes to accumulate their gradients: on a GPU the hooks of these nodes never run"
PF208_FIX = "place the module first"

PF301 = "{names} {is_are} still on the CPU, but {against}"
PF301_UNREAD = "{names} {is_are} still on the CPU, and the function does not read `{device}`, which it gets"
PF301_PART = "`{name}` is not moved, but another part of `{thing}`, which it is used with, is"
PF301_FIX = "move the batch to the device"
PF301_ELSEWHERE = "this call leaves a batch on the CPU, but {against} (`{file}`, line {row})"

PF302 = "{names} {is_are} on the CPU, but {against}"
PF302_FIX = "move the tensor to the device"
PF302_PRIOR = "a distribution is made of {names} on the CPU, but it is used with tensors on a device"
PF302_PRIOR_FIX = "move the tensors that it is made of"
PF302_FELLOW = "{names} {is_are} not moved, but the tensor that it is used with is"
PF302_UNREAD = "`{name}` makes a tensor on the CPU, but the function has `{device}` and does not read it"
PF302_ARM = "{names} {is_are} on the CPU in one arm of the test, and on a device in the other"
PF302_ROUND = "{names} {is_are} on a device before the loop, and on the CPU in its later rounds"
PF302_FELLOW_FIX = "move it as well"
PF302_ROW = "`{name}` is made on the CPU, but the tensors that are made beside it go to `{device}`"
PF302_COPIED = "`{name}` is on a device, but it is used with a copy on the CPU ({row})"
PF302_COPIED_FIX = "copy it to the CPU too"
PF302_BESIDE = "`{name}` makes a tensor on the CPU, but the function uses it with one on `{device}`"
PF302_BESIDE_FIX = "make it on `{device}`"

PF303 = "{names}: the result of this move is not used; a tensor's `.to()` returns a new tensor"
PF303_FIX = "assign the moved tensor"

PF304 = "`{name}` makes a tensor on the CPU, but it is used with `{beside}`, which can be on a device"
PF304_FIX = "make it on the device of `{beside}`"

PF305 = "`{name}` stays on the CPU when the module is placed, but it is used with `{beside}`"
PF305_RETURNED = "`{name}` stays on the CPU when the module is placed, but `{method}` returns it"
PF305_FIX = "register `{name}` as a buffer"

PF306 = "the modules in the {kind} `{name}` are not registered: they are not placed with the module, and not trained"
PF306_FIX = "register them"

PF307 = "{names} {is_are} on the CPU, but the outputs that the criterion receives are on a device"
PF307_FIX = "move the criterion to the device"

PF308 = "`{name}` makes a hidden state on the CPU, but the layer is used with `{beside}`, which can be on a device"
PF308_ANYWHERE = "`{name}` makes a hidden state on the CPU, but the module can be on a device"
PF308_FIX = "make it on the device of `{beside}`"

PF309 = "{names}: packed sequences need their lengths on the CPU"
PF309_FIX = "copy the lengths to the CPU"

PF310 = "{names} is on a device: numpy can only read tensors on the CPU"
PF310_TWIN = "{names} may be on a device: numpy can only read tensors on the CPU"
PF310_FIX = "copy the tensor to the CPU first"
PF310_LIST = "{names} holds tensors on a device: numpy can only read tensors on the CPU"

PF312 = "the workers of this loader use CUDA: in a fork of a process that has used it, they raise"
PF312_NOTE = "not fixed: leave the data set on the CPU, and move each batch in the loop"
PF313 = "the batches of this loader are on a GPU, and `pin_memory` takes only tensors of the CPU"
PF313_NOTE = "not fixed: leave the data set on the CPU and move each batch in the loop, or remove `pin_memory`"

PF314 = (
    "this copy to the CPU runs in the background, and {row} reads it: without a synchronisation the values may be wrong"
)
PF314_FIX = "wait for the copy"

PF315_CPU = "`{generator}` is a generator of the CPU, but draws here on `{device}`: this raises a RuntimeError"
PF315_GPU = "`{generator}` is a generator of `{device}`, but draws here on the CPU: this raises a RuntimeError"
PF315_NOTE = (
    "not fixed: the same seed gives other numbers on another device; the generator and the tensor belong on one"
)

PF316 = "`{name}(…)` is made again at each call: it stays on the CPU and is never trained"

PF317 = "{what} is float64, but {device} no float64: this raises a TypeError"
PF317_NAMED = "`{name}` can be MPS, which has"
PF317_MPS = "MPS has"
PF317_LONG = "this tensor or module"

PF318 = (
    "the trace keeps the device of its example: `{made}` in `forward` makes its tensor there in every run of the trace"
)
PF318_NOTE = (
    "`x.new_ones(…)` and `torch.ones_like(x)` follow the input of the trace; torch.jit.script compiles `x.device`"
)

PF400 = "`async` is a keyword since Python 3.7: the file cannot be parsed, and nothing else in it is checked"
PF400_FIX = "rename it to `non_blocking`"

PF401 = "{what} fails on machines without {accelerator}"
PF401_FIX = "replace `.{method}()` by `.to({{device}})`"
PF401_KEPT = "this function is meant for CUDA"
PF402 = "{what} fails on machines without {accelerator}"
PF402_BESIDE = "{what} fails on machines without CUDA; the lines around it use a device"
PF402_NUMBER = "{what} is the number of a GPU; for a tensor on the CPU it is -1, which is not a device"
PF402_INDEX = "{what} fails on machines with CUDA and fewer than {count} GPUs: the test is for CUDA alone"
PF402_FIX = "replace it by `{device}`"
DEFAULT_WORD = "{word}, the default of `{name}`,"
# The help of an option, by the groups of `default_words`: the words before the default, its quote, and itself.
HELP_DEFAULT = r"\1\2\3\2 if available, else \2cpu\2"
DEFAULT_OF = "the default of a parameter of `{function}`"
PF402_DEFAULT = "{what} is a device that only CUDA machines have"
PF403 = "{what} only decides where things are placed; `.to(device)` does that without a test"
PF403_REFUSED = "{what} decides where things are placed; `.to(device)` does that without a test"
PF403_MOVES = "{what} contains moves that only work with CUDA"
PF403_BESIDE = "{what} is only for CUDA; the lines around it use a device"
CONDITIONAL_MOVE = "the conditional move"
PF403_FIX = "use `{device}` instead of the test"
PF403_MOVES_FIX = "replace the moves by `.to({device})`"
PF403_KEPT = "{what} lets this run without CUDA, and uses no other accelerator"
PF404 = "`{name}` is deprecated since torch 2.4; use torch.amp"
PF404_FIX = "use torch.amp"
PF405 = "{what} without `map_location` needs the devices that the checkpoint was saved from"
PF405_RANKS = "; every process of the run (its process group starts in line {row}) loads it there, all onto one GPU"
PF405_FIX = "add `{device}`"
PF406 = "{what} fails on machines without {accelerator}"
PF406_FIX = "test `{device}` first"
PF407 = "{what} is a tensor type that only CUDA machines have"
PF407_FIX = "use `{device}` instead of the type"
PF407_FLAGGED = "{what}: this tensor type decides where tensors are; a device does that without a test"
PF407_GUARD = "{what} only decides where tensors are made; a device does that without a test"

PF408 = "`volatile=True` has no effect since torch 0.4: gradients are recorded"
PF408_NOTE = "compute with the tensor inside `with torch.no_grad():`"
PF409 = "CUDA has been initialised in line {row} and has read this variable: the GPUs that are visible stay the same"
PF409_NOTE = "not fixed: set it before the first use of CUDA, best in the shell that starts the program"
PF411 = "the keys of this state begin with `{saved}`, but line {row} loads it into a module without {wrapper}: its `load_state_dict` raises"
PF411_BARE = "the keys of this state do not begin with `{loaded}`, but line {row} loads it into {wrapper}: its `load_state_dict` raises"
PF411_OTHER = "the keys of this state begin with `{saved}`, but line {row} loads it into a module whose keys begin with `{loaded}`: its `load_state_dict` raises"
PF411_FIX = "save the state of the module inside"
PF412_WHOLE = "this loader has no DistributedSampler: each process trains on all of the data, not on its part"
PF412_WHOLE_NOTE = "not fixed: `DistributedSampler(data)` divides the data, and needs `sampler.set_epoch(epoch)` and `shuffle=False` here"
PF414 = "`{name}` is the loss that `forward` returns, and DataParallel returns one for each GPU: with two or more GPUs `{name}.backward()` raises"
PF414_FIX = "take the {reduction} of the losses"
PF415 = "`{name}` waits for every process, but only {who} it: the run hangs until the timeout"
PF415_IN = (
    "`{function}` calls `{name}`, which waits for every process, but only {who} it: the run hangs until the timeout"
)
PF415_BACKWARD = "`{name}` averages the gradients of every process, but only {who} it: it meets a later pass of the others, or the run hangs"
PF415_FIRST = "the process of rank 0 calls"
PF415_OTHERS = "the processes of other ranks than 0 call"
PF415_NOTE = "not fixed: the collective belongs outside the test of the rank, and every process needs its arguments"
PF416 = "every process of the run (its process group starts in line {row}) writes this file at the same time"
PF416_NOTE = "not fixed: save it under `if dist.get_rank() == 0:`, and call `dist.barrier()` before it is read"
PF501 = "the script places nothing: it runs on the CPU of every machine"
PF501_FIX = "place {names}, and in the same run everything that is used with it"

PF001_NO_RULE = "no rule has the code {codes}: the comment suppresses nothing"
PF001 = "the comment for {codes} suppresses nothing"
PF001_BARE = "the comment suppresses nothing"

# The other operand of an operation, by the operation, if its text is not known.
OTHER_OPERAND = {
    "input": "the module that receives it",
    "taken": "the module that receives it",
    "beside": "another input of the same call",
    "loss": "the output that it is compared with",
    "operand": "the other operand",
    "elsewhere": "the other operand in the called function",
    "indexed": "the index",
}
AGAINST = "{other} is on {where}"
# Descriptions of values without a name, or with too long an expression.
MOVED = "the moved value"
GIVEN = "its argument"
A_DEVICE = "a device"
