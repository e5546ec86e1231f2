"""The reasons why a script is not migrated. Edit a sentence here and nowhere else.

Fields are in backticks already where the row has none; `line` is a row of the script ("line 3").
"""

from __future__ import annotations

from placefix.facts.wording import Reason

# The script as a whole
NOTHING_WRAPPED = Reason("nothing-wrapped", "no model is wrapped by DataParallel")
FRAMEWORK = Reason("framework", "the script uses {name}, which starts the processes itself")
DISTRIBUTED = Reason("distributed", "the script uses {name} already")
NAME_IN_USE = Reason("name-in-use", "the name `{name}` is in use; the migration needs it")
NO_IMPORTS = Reason("no-imports", "the script imports nothing at its head")
NO_TRAINING = Reason("no-training", "no optimizer step in a loop over a DataLoader is shown")
BEFORE_START = Reason("before-start", "this runs outside of the main guard, before the process group is started")
VISIBLE_GPUS = Reason("visible-gpus", "this chooses the visible GPUs after the process group is started")
ANOTHER_DEVICE = Reason("another-device", "`{device}` is not the GPU of the process")
STARTS_PROCESSES = Reason("starts-processes", "this starts processes")
UNREADABLE = Reason("unreadable", "the position of this expression in the text is not known: it is in an f-string")
UNWRITABLE = Reason("unwritable", "{reason}")

# Wraps
WRAP_WITHOUT_NAME = Reason("wrap-without-name", "the wrapper is not bound to a name, or not by a plain assignment")
WRAP_IN_LOOP = Reason("wrap-in-loop", "the model is wrapped in a loop, a `with` or a `try`")
WRAP_OPTION = Reason("wrap-option", "`{option}` has no counterpart in DistributedDataParallel")
WRAP_ALONE_IN_IF = Reason("wrap-alone-in-if", "without the wrap this branch would be empty")
USED_BEFORE_WRAP = Reason("used-before-wrap", "{line} runs the model before it can be wrapped")
NOT_PLACED = Reason("not-placed", "the model is not shown to be on a device before it is wrapped and used")
OTHER_USE = Reason("other-use", "this use of DataParallel is not understood")
INPUT_NOT_PLACED = Reason(
    "input-not-placed", "`{name}` is not shown to be on the device; DataParallel moves its inputs itself"
)
BRANCHES_IN_FORWARD = Reason(
    "branches-in-forward",
    "`{name}` is not called on every path of forward; DistributedDataParallel needs all parameters in each step",
)
TRAINED_UNWRAPPED = Reason(
    "trained-unwrapped",
    "this optimizer does not train a wrapped model alone: other parameters would differ between the processes",
)
RUN_UNWRAPPED = Reason(
    "run-unwrapped", "training runs the model without its wrapper: its gradients would not be averaged"
)
LAYER_UNUSED = Reason(
    "layer-unused", "`{name}` is never called in forward; DistributedDataParallel needs all parameters in each step"
)

# Data
LOADER_ELSEWHERE = Reason(
    "loader-elsewhere", "the DataLoader of this loop is not made in this file, or not by one plain call"
)
LOADER_SAMPLER = Reason("loader-sampler", "the DataLoader has `{option}`")
LOADER_BATCH = Reason("loader-batch", "the DataLoader has no batch size above 1 that could be split")
LOADER_ARGUMENTS = Reason("loader-arguments", "the DataLoader gets `*` or `**` arguments")
LOADER_STREAM = Reason("loader-stream", "the DataLoader reads an IterableDataset")
LOADER_SHARED = Reason("loader-shared", "this loop, or its DataLoader, trains and evaluates")
EPOCH_LOOP = Reason("epoch-loop", "the loop over the epochs is no `for` over numbers with one name")
EPOCH_LOADER = Reason("epoch-loader", "the DataLoader has no name in the loop over the epochs (line {line})")
UNSEEDED = Reason("unseeded", "`{name}` draws other numbers in each process; the script calls no {seed}")
DRAWN_ALIKE = Reason(
    "drawn-alike", "`{name}` draws the same numbers in each process, for other samples: the script calls {seed}"
)

# Losses and metrics
LOSS_SUM = Reason("loss-sum", "the loss is a sum over the batch: averaged gradients of processes would be smaller")
LOSS_UNKNOWN = Reason("loss-unknown", "`{name}` is not shown to be a mean over the batch")
METRIC_UNKNOWN = Reason("metric-unknown", "`{name}` is not shown to be a mean or a sum over the batch")
METRIC_EACH = Reason(
    "metric-each", "`{name}` has an entry for each sample: those of the other processes would have to be gathered"
)
METRIC_SHARED = Reason("metric-shared", "`{name}` is computed for training and for evaluation by the same line")
METRIC_KEPT = Reason(
    "metric-kept", "`{name}` is kept as a tensor of one process's batch; convert it with `.item()` first"
)
BATCH_DECIDES = Reason("batch-decides", "a test depends on the batch of one process: the processes could part")
CLOCK_DECIDES = Reason(
    "clock-decides", "a metric below this test needs all processes, and the test may differ between them"
)

# Output
RUNS_IN_OUTPUT = Reason("runs-in-output", "this output statement runs the model, an optimizer or a loader")
OUTPUT_ALONE = Reason("output-alone", "the statement shares its line with others")
WRITES_FILE = Reason("writes-file", "every process would write this file, and the script may read it")
SAVED_WHOLE = Reason("saved-whole", "this saves the wrapper itself; save its state_dict")
OUTPUT_VALUE = Reason("output-value", "the result of `{name}`, which writes, is used")
