"""The premises of fixes, and the doubts about findings. Edit a sentence here and nowhere else.

A premise is why a fix is unsafe: it is right only if the sentence holds. A doubt is why a finding is a warning: nothing may fail.
Fields are in backticks already where the row has none. docs/safety.md lists the premises; a test compares it with these rows.
"""

from __future__ import annotations

from placefix.facts.wording import Doubt, Premise

# --- premises --------------------------------------------------------------------------------------

# PF1xx, PF2xx: the order of modules, wraps and optimizers

NOT_FIRST_GPU = Premise("not-first-gpu", "the device may not be the first GPU of the wrapper")
NUMBERS_CHANGE = Premise(
    "numbers-change", "with gloo the old order ran, without averaging gradients: the fix changes the numbers on purpose"
)
ONE_PARAMETER_MORE = Premise(
    "one-parameter-more", "on a device the module then has one more parameter, which is trained and saved"
)
WRAPPER_MOVES_MODULE = Premise(
    "wrapper-moves-module",
    "if the device is the CPU and one GPU is visible, DataParallel itself moves the module to that GPU",
)

# PF3xx: tensors and modules on the wrong device

LOADER_YIELDS_CPU = Premise("loader-yields-cpu", "the loader is assumed to yield tensors on the CPU")
ELEMENT_IS_TENSOR = Premise("element-is-tensor", "the batch's element is assumed to be a tensor")
MODULE_ON_NUMBERED_GPU = Premise("module-on-numbered-gpu", "the module is on a GPU with a fixed number")
BATCH_WANTED_ELSEWHERE = Premise(
    "batch-wanted-elsewhere", "other code also receives the batch and may expect it on the CPU"
)
ONE_OF_CLASSES = Premise(
    "one-of-classes", "the class or function is assumed to be one of those that `{classes}` has here"
)
OTHER_CALL_WANTS_CPU = Premise("other-call-wants-cpu", "another call of this function may want the tensor on the CPU")
MOVES_NO_ARGUMENTS = Premise("moves-no-arguments", "`{function}` is assumed not to move its arguments")
FLAG_CHOOSES_GPU = Premise(
    "flag-chooses-gpu", "the other operand is on a device that a flag chooses, which is assumed to be the GPU"
)
OTHER_ON_GPU = Premise("other-on-gpu", "`{device}`, the device of the other operand, is assumed to be the GPU")
RESULT_OF_CHAIN = Premise("result-of-chain", "`{name}` becomes the result of the whole chain, on the CPU too")
NO_LATER_USE_SHOWN = Premise("no-later-use-shown", "no later use of `{name}` is shown to fail without the move")
SENT_BY_NCCL = Premise("sent-by-nccl", "`{name}` is assumed to be sent by NCCL: another backend accepts it on the CPU")
USED_ON_OLD_DEVICE = Premise("used-on-old-device", "code after this line used `{name}` on its old device")
NAME_IS_TENSOR = Premise("name-is-tensor", "`{name}` is assumed to be a tensor")
TYPE_CHANGES = Premise("type-changes", "it changes the type of `{name}` as well")
COLLECTS_GRADIENTS = Premise("collects-gradients", "`{name}` collects gradients; the moved tensor would not")
WANTED_ON_OLD_DEVICE = Premise(
    "wanted-on-old-device", "`{name}` is also used by code that may expect it on its old device"
)
BOUND_ALIKE = Premise("bound-alike", "`{name}` is assumed to be where `{other}` was: both are bound in the same way")
COMPUTED_TOGETHER = Premise(
    "computed-together", "`{name}` is assumed to be a tensor on the device of `{other}`: operations have both"
)
COMPUTED_BY_MODULE = Premise(
    "computed-by-module", "`{name}` is assumed to be computed by a module on the device that `{other}` shows"
)
TAKEN_BACK = Premise(
    "taken-back", "`{name}` is assumed to be on any device: a result computed of it goes to the device of `{other}`"
)
TAKEN_TO_DEVICE = Premise(
    "taken-to-device",
    "`{name}` is assumed to be on the device of its module: a result computed of it is moved, `{move}`",
)
ARRIVES_WITH = Premise("arrives-with", "it is assumed to arrive on the CPU, as `{other}` does")
LOADER_BY_NAME = Premise("loader-by-name", "`{loader}` is assumed, by its name, to yield tensors on the CPU")
ARRIVES_AS_IN = Premise(
    "arrives-as-in", "the items of `{loader}` are assumed to arrive on the CPU, as they do in `{function}`"
)
ARRIVES_AS_FOR = Premise("arrives-as-for", "`{name}` is assumed to arrive on the CPU, as it does for `{function}`")
SETS_OTHERS = Premise(
    "sets-others", "`setattr` with a computed name is assumed to set none of the attributes that the class places"
)
LEFT_BY_UNKNOWN_CODE = Premise("left-by-unknown-code", "code that is not seen is assumed not to place the module")
MEANT_FOR = Premise("meant-for", "the function gets `{device}` and does not read it: it is assumed to belong there")
ITEMS_MOVED = Premise(
    "items-moved", "its items are moved: it may be meant to stay on the CPU, and the index to go there"
)
CALLERS_PASS_ON_DEVICE = Premise(
    "callers-pass-on-device", "each caller of `{function}` is assumed to pass something on {device}"
)
DISTRIBUTION_WANTED_ON_DEVICE = Premise(
    "distribution-wanted-on-device",
    "other samples and properties of the distribution are assumed to be wanted on the device",
)
CALLERS_PASS_STATE = Premise(
    "callers-pass-state", "each caller of `{method}` is assumed to pass the state to the layer unchanged"
)
ARGUMENTS_ON_NUMBERED_GPU = Premise("arguments-on-numbered-gpu", "its arguments are on a GPU with a fixed number")
SOME_CALLS_ON_CPU = Premise("some-calls-on-cpu", "some of its calls may pass tensors on the CPU")
MODULE_WANTED_ELSEWHERE = Premise("module-wanted-elsewhere", "other code also receives it and may expect it on the CPU")
LIST_PASSED = Premise("list-passed", "another call may pass a list")
ATTRIBUTE_IS_BUFFER = Premise(
    "attribute-is-buffer",
    "`{attribute}` is assumed to be a tensor that belongs to the module, and to change its type with it",
)
CALLERS_NEED_IT_THERE = Premise("callers-need-it-there", "each caller of `{function}` is assumed to need it there, too")
TOGETHER_ON_SOME_PATHS = Premise("together-on-some-paths", "on some paths the two are not used together")
STAYS_BESIDE = Premise(
    "stays-beside", "`{name}` in {line}, the other operand of an operation, is assumed to give a number, not an array"
)
RECEIVER_NEEDS_OWN_DEVICE = Premise(
    "receiver-needs-own-device", "the code that receives it is assumed to need it on its own device"
)
MEANT_TO_BE_TRAINED = Premise(
    "meant-to-be-trained", "the model is meant to train and save them; older checkpoints lack them"
)

# The values of the analysis

IS_MODULE = Premise("is-module", "`{name}` is assumed to be an nn.Module")
MADE_LIKE_PLACED = Premise(
    "made-like-placed",
    "`{made}` is assumed to give a module on the CPU: another result of it is placed",
)
RETURNS_ON_DEVICE = Premise(
    "returns-on-device", "`{module}` is assumed to return a tensor on the device of its arguments"
)
METHOD_RETURNS_ON_DEVICE = Premise(
    "method-returns-on-device", "`{method}` is assumed to return a tensor on the device of its arguments"
)
COPY_HAS_DIMENSION = Premise(
    "copy-has-dimension",
    "the copy on the CPU is assumed to have a dimension; without one it meets tensors of any device",
)
RETURNS_CPU_TENSORS = Premise("returns-cpu-tensors", "`{function}` is assumed to return tensors on the CPU")
RETURNS_TENSOR = Premise("returns-tensor", "`{module}` is assumed to return a tensor")
CLASS_NOT_SEEN = Premise("class-not-seen", "`{cls}` is assumed to be an nn.Module that does not place itself")
DEVICE_BY_NAME = Premise("device-by-name", "`{name}` is assumed to be a device, by its name")
OPTIMIZER_KEEPS_PARAMETERS = Premise(
    "optimizer-keeps-parameters",
    "`{name}` is assumed to be an optimizer that stores nothing but references to the parameters",
)

# PF4xx: code that names CUDA

MAY_NOT_EXIST = Premise("may-not-exist", "without CUDA `{name}` may not exist")
MAY_BE_NONE = Premise("may-be-none", "without CUDA `{name}` may be None")
GIVEN_ON_CPU_WITHOUT_FLAG = Premise(
    "given-on-cpu-without-flag", "the arguments of `{function}` are assumed to be on the CPU when `{test}` is {value}"
)
MOVED_ON_CPU_WITHOUT_FLAG = Premise(
    "moved-on-cpu-without-flag", "{moved} is assumed to be on the CPU when `{test}` is {value}: nothing here shows it"
)
NEW_LIST = Premise("new-list", "without CUDA the items stayed in their own container; now they are in a new list")
NAME_IS_CUDA = Premise(
    "name-is-cuda", '`{device}` is assumed to be the word "cuda" itself: something else may equal it'
)
GPU_NUMBER = Premise("gpu-number", "`{number}` is assumed to be the number of a GPU")
OTHER_ACCELERATOR_MOVED = Premise(
    "other-accelerator-moved", "without CUDA `{device}` may be another accelerator, and this stayed on the CPU"
)
PLACED_FOR_MORE_GPUS = Premise(
    "placed-for-more-gpus",
    "it is assumed to be on the CPU when `{test}` is false: with more GPUs it may be placed elsewhere",
)
DEVICE_FOLLOWS_TEST = Premise(
    "device-follows-test", "`{device}` is assumed to be the GPU exactly when `{test}` is {value}: nothing here shows it"
)
CUDA_OR_CPU = Premise(
    "cuda-or-cpu", '`{device}` is assumed to be "cuda" or "cpu": for another device the guard moved nothing'
)
DEFAULT_NOT_READ = Premise(
    "default-not-read",
    "other code is assumed not to read the default of `{parameter}` from the function, and not to pass None",
)
GIVEN_NEEDS_NO_MOVE = Premise(
    "given-needs-no-move", "`{name}` is assumed to need no move if it is an argument of the function"
)
DEVICE_ATTRIBUTE_OF_TENSOR = Premise(
    "device-attribute-of-tensor", "`{name}` is assumed to be a tensor, which has a `.device`"
)
CURRENT_GPU = Premise(
    "current-gpu",
    "where it is on a GPU, `{device}` is assumed to be the current one: nothing here shows that the two are used together",
)
THERE_WITHOUT_TEST = Premise("there-without-test", "`{moved}` is assumed to be there already when `{test}` is false")
NOTHING_LEFT_BEHIND = Premise(
    "nothing-left-behind", "the loaded object is assumed to hold no tensors that the move would leave behind"
)
REST_NOT_ON_GPU = Premise(
    "rest-not-on-gpu", "the other values of the checkpoint are assumed not to be needed on the GPU"
)
CHECKPOINT_BY_NAME = Premise(
    "checkpoint-by-name",
    "`{name}` is assumed, by its name, to hold weights, and not to be needed on the GPU that saved it",
)
MAPPED_ALIKE = Premise(
    "mapped-alike", "the loaded value is assumed not to be needed on the GPU that saved it, like that of {line}"
)
VALUES_COPIED = Premise("values-copied", "the values are assumed to be copied, not assigned")
LOADS_INTO_OWN_DEVICE = Premise(
    "loads-into-own-device",
    "{receiver} is assumed to be a module or an optimizer of torch, which copies the values to its own device",
)
MOVER_BY_NAME = Premise(
    "mover-by-name", "`{function}` is meant for CUDA, by its name; without CUDA its result now stays on the CPU"
)
DEVICE_OF_LINES_AROUND = Premise(
    "device-of-lines-around", "`{device}` is assumed to be the device here as well: the lines around it use it"
)
DEVICE_OF_OTHER_ARM = Premise(
    "device-of-other-arm", "`{device}` is assumed to be the device here as well: the other arm moves `{name}` there"
)
CUDA_NEEDED_WITHOUT_UNSAFE = Premise(
    "cuda-needed-without-unsafe", "{line} still needs CUDA unless the unsafe fixes are applied"
)
OTHER_WRAP_STAYS = Premise("other-wrap-stays", "{line} still wraps a module before its placement")
CUDA_NEEDED_ELSEWHERE = Premise(
    "cuda-needed-elsewhere", "{line}, in another function of the class or script, still needs CUDA"
)
TEST_STAYS = Premise("test-stays", "{line} keeps its test for CUDA beside the new device")
DEVICE_IN_EACH_METHOD = Premise(
    "device-in-each-method", "{count} methods of `{cls}` then define a device each; one argument or attribute would do"
)
BASE_HAS_DEVICE = Premise("base-has-device", "`{cls}`, or a base class, has `{device}`, which may be meant")
DEFINED_FAR_ABOVE = Premise("defined-far-above", "`{device}` would be defined {count} lines above its first use")
CALLER_LEFT_ON_CPU = Premise("caller-left-on-cpu", "`{name}` is assumed to be on the CPU when `{test}` is false")
DEVICE_OF_OWN_BLOCK = Premise(
    "device-of-own-block",
    "`{device}`, which is bound for another block, is assumed to be unrelated to the move here",
)
FILE_WITHOUT_TORCH = Premise(
    "file-without-torch",
    "the object with `.{method}()` is assumed to be a tensor or module of torch: the file does not name it",
)
MAKER_IS_MODULE = Premise("maker-is-module", "`{maker}`, which makes {receiver}, is assumed to be an nn.Module")
RECEIVER_IS_TORCHS = Premise(
    "receiver-is-torchs", "nothing in this file shows that {receiver} is a tensor or a module of torch"
)
OTHER_ACCELERATORS = Premise(
    "other-accelerators",
    "torch.accelerator also chooses a Mac's or another vendor's device, where this ran on the CPU before",
)
GPU_NUMBER_NOT_NEGATIVE = Premise(
    "gpu-number-not-negative", "`{number}` is assumed to be the number of a GPU, not negative"
)
NUMBER_NOT_NONE = Premise(
    "number-not-none", "`{number}` is assumed to be a number: for None, the current GPU, there is no such name"
)
COMMENT_MEANS_CUDA = Premise(
    "comment-means-cuda", "the comment beside it may mean that it has to be {accelerator}: {comment}"
)
ACCEPTS_DEVICE = Premise("accepts-device", "`{function}` is assumed to accept a {takes} as well as a {given}")
SAME_WITH_CPU = Premise("same-with-cpu", '`{function}` is assumed to do the same with "cpu" as with "{device}"')
CPU_FOR_NUMBERED_GPU = Premise(
    "cpu-for-numbered-gpu", "the CPU is assumed to be right without CUDA, although cuda:{index} is named"
)
NAME_WOULD_NOT_MATCH = Premise(
    "name-would-not-match",
    "`{name}` would no longer match its name, and code that compares devices with it may mean {accelerator}",
)
VISIBLE_GPUS_CHOSEN_LATER = Premise(
    "visible-gpus-chosen-later",
    "the visible GPUs are chosen in another file, which has no effect after a test for CUDA",
)
TEST_ON_IMPORT = Premise("test-on-import", "the test then runs when the file is imported, for the attribute of a class")
IMPORTERS_CHOOSE_GPUS = Premise(
    "importers-choose-gpus",
    "files that import this one choose the visible GPUs, or fork processes, after this test for CUDA",
)
FORKS_AFTER_TEST = Premise(
    "forks-after-test", "the file starts processes: after a test for CUDA, a forked process cannot use CUDA"
)
TENSOR_ON_GPU = Premise("tensor-on-gpu", "`{name}` is assumed to be on the GPU wherever this ran")
OTHERS_ON_CURRENT_GPU = Premise(
    "others-on-current-gpu",
    "the callers of `{function}` decide where its inputs or its module are: they are assumed to be on the current GPU if there is one",
)
FLAG_OF_MODULE = Premise(
    "flag-of-module",
    "`{flag}` is assumed to be set anew whenever a `{cls}` is moved: the device would follow it, not the module",
)
FLAG_UNREAD = Premise(
    "flag-unread", "nothing would read `{flag}` any more, although callers of `{function}` still set it"
)
OVERSIGHT_WITHOUT_FLAG = Premise(
    "oversight-without-flag", "it went to the GPU where `{test}` is {value}, too: this is assumed to be an oversight"
)
DEVICE_IS_GPU = Premise(
    "device-is-gpu", "`{device}` is assumed to be the GPU wherever this ran: nothing here shows its value"
)
NOT_ON_ANOTHER_GPU = Premise(
    "not-on-another-gpu",
    "`{name}` is assumed not to be on another GPU than the current one, where `.type()` would leave it",
)
TENSOR_NOT_MODULE = Premise(
    "tensor-not-module", "`{name}` is assumed to be a tensor: a module's integer buffers were cast as well"
)
SIZE_LIST_OR_ARRAY = Premise(
    "size-list-or-array", "`{name}` is assumed to be a size, a list or an array, not a tensor on the GPU"
)
MOVED_BEFORE_GUARD = Premise("moved-before-guard", "`{name}` is now moved by a separate statement, before the guard")
TEST_NOT_EVALUATED = Premise("test-not-evaluated", "without CUDA `{test}` was not evaluated")
RECEIVER_MAY_BE_NONE = Premise(
    "receiver-may-be-none", "`{name}` may be None here, and without CUDA nothing was called on it"
)
GRAPH_GETS_NODE = Premise("graph-gets-node", "the graph that is recorded of the module gets a node for `{device}`")
DEVICE_IS_FIRST_GPU = Premise(
    "device-is-first-gpu",
    "cuda:0 and `{device}`, the current GPU, are assumed to be the same GPU, although {file} may choose another",
)
NAMESAKE_WITHOUT_DEVICE = Premise(
    "namesake-without-device",
    "{receiver} is assumed to be a tensor or module of torch: `{cls}`{file} has its own `.{method}()`, and takes no torch.device",
)
NAMESAKE_WITHOUT_TO = Premise(
    "namesake-without-to",
    "{receiver} is assumed to be a tensor or module of torch: `{cls}`{file} has its own `.{method}()`, and no usable `.to()`",
)
NUMBERED_IS_CURRENT_GPU = Premise(
    "numbered-is-current-gpu",
    "`{device}` and the current GPU are assumed to be the same GPU, although {file} may choose another",
)
TO_NOT_CALLED = Premise("to-not-called", "{receiver} has its own `.to()`, which `.{method}()` does not call")

# PF001: comments that suppress nothing

CODE_MISSPELLED = Premise("code-misspelled", "the code may be a misspelling of another")

# Outside of the rules: fixes that follow from a fix, the cells of a notebook, the configuration

NOT_BOUND = Premise("not-bound", "nothing here binds {names}: assumed by custom, or by the use")
TORCH_REPLACED = Premise("torch-replaced", "`{name}`, which the file replaces, is assumed to do as torch's own")
FOLLOWING_PREMISES = Premise("following-premises", "the fixes that follow from it have premises")
CELLS_IN_ORDER = Premise(
    "cells-in-order", "the cells are run from the first to the last, which they were not the last time"
)
ERROR_NOT_SHOWN = Premise("error-not-shown", "the error that the cell ended in was not there to be shown")
CONFIGURED_UNSAFE = Premise("configured-unsafe", "the configuration has {code} in extend-unsafe-fixes")
CONFIGURED_UNFIXABLE = Premise("configured-unfixable", "the configuration makes {code} unfixable")

# --- doubts ----------------------------------------------------------------------------------------

# PF1xx, PF2xx: the order of modules, wraps and optimizers

STATE_ELSEWHERE_NOT_KNOWN = Doubt(
    "state-elsewhere-not-known", "the effect of a state on another device on {optimizer} is not known"
)
PLACEMENT_MAY_NOT_RUN = Doubt("placement-may-not-run", "the placement ({line}) may not run")

# PF3xx: tensors and modules on the wrong device

MAY_MOVE_ARGUMENTS = Doubt("may-move-arguments", "`{function}` may move its arguments")
MAY_ARRIVE_ON_DEVICE = Doubt("may-arrive-on-device", "it may arrive there already")
DATASET_MAY_PLACE = Doubt("dataset-may-place", "the data set of the loader is not known and may have placed it")
MPS_ON_A_MAC = Doubt("mps-on-a-mac", "only on a Mac is the device of torch.accelerator MPS")
NO_LATER_USE_FAILS = Doubt("no-later-use-fails", "no later use is shown to fail")
DEVICE_NOT_SEEN = Doubt("device-not-seen", "its device is not seen")
ARGUMENTS_NOT_SEEN = Doubt("arguments-not-seen", "the code that makes its arguments is not seen")
DIMENSION_NOT_SEEN = Doubt("dimension-not-seen", "without a dimension it may stay on the CPU")
COPY_MAY_BE_SCALAR = Doubt("copy-may-be-scalar", "a copy without a dimension may stay there")
EPOCHS_DIFFER = Premise("epochs-differ", "each epoch then has another order, so the numbers change")
READ_BY_OTHERS = Premise(
    "read-by-others", "other programs that load the checkpoint may expect the keys with `{prefix}`"
)
ONLY_IF_WRAPPED = Doubt("only-if-wrapped", "`{name}` is wrapped on some paths only")
ONE_GPU_MAY_BE_VISIBLE = Doubt("one-gpu-may-be-visible", "with one visible GPU it works")
RANK_BY_NAME = Doubt("rank-by-name", "`{name}` is known as the rank by its name alone")
LAUNCHER_MAY_SELECT_GPU = Doubt(
    "launcher-may-select-gpu", "the program that starts the processes may show each of them one GPU"
)
CLASS_MAY_PLACE = Doubt("class-may-place", "`{cls}` is not seen and may place itself")
BASE_MAY_PLACE = Doubt("base-may-place", "a base of its class is not known and may place it")
CALLER_MAY_PLACE = Doubt("caller-may-place", "a caller of the function may place it")
UNKNOWN_CODE_MAY_PLACE = Doubt("unknown-code-may-place", "unknown code receives it and may place it")
ACCEPTED_ON_CPU = Doubt("accepted-on-cpu", "the code that receives it may accept it on the CPU")
NOTHING_PLACED = Doubt("nothing-placed", "nothing in this file is placed")
NOT_ASKED_FOR = Doubt("not-asked-for", "no call in this file requires it")
CALLERS_MAY_MOVE = Doubt("callers-may-move", "its callers may move it")
RESULT_NOT_SEEN = Doubt("result-not-seen", "the device of the result of `{module}` is not seen here")
MODEL_DEVICE_NOT_SEEN = Doubt("model-device-not-seen", "the device of `{model}` is not seen here")
REPLACED_IN_FILE = Doubt("replaced-in-file", "the file replaces `{name}`")
NOTHING_FAILS_ON_CPU = Doubt("nothing-fails-on-cpu", "if that is the CPU, nothing fails")
CLASS_NOT_IN_TEXT = Doubt("class-not-in-text", "the class of the method is not in the text")
CLASS_NOT_USED = Doubt("class-not-used", "nothing in the repository uses `{cls}`")
ONLY_TESTS_USE = Doubt("only-tests-use", "only tests use `{cls}`, and they place nothing")
FORWARD_READS_UNSET = Doubt("forward-reads-unset", "`forward` reads `{module}.{attribute}`, which nothing sets")
USERS_PLACE_NOTHING = Doubt("users-place-nothing", "nothing that uses `{cls}` places anything")
PARAMETERS_NOT_SEEN = Doubt(
    "parameters-not-seen", "the modules in `{name}` are made by code that is not seen, and may have no parameters"
)
NO_FORWARD = Doubt("no-forward", "no `forward` of `{cls}` is seen: its objects may not be used as modules")
MODULES_RETURNED = Doubt("modules-returned", "a method returns modules of `{name}`, and its callers may register them")
CALLERS_MOVE_RESULT = Doubt("callers-move-result", "all calls of `{function}` here move its result")
CALLERS_COPY_TO_CPU = Doubt("callers-copy-to-cpu", "all callers of `{function}` have `{parameter}` on the CPU")

# PF501: a script that places nothing

CANNOT_BE_MOVED = Doubt("cannot-be-moved", "{line}: {value} stays on the CPU, and cannot be moved")
READ_ON_HOST = Doubt("read-on-host", "{line}: {value} is read on the host")
OPTIMIZED_NOT_PLACED = Doubt(
    "optimized-not-placed", "{line}: the optimizer is not shown to optimise a module that is placed"
)
MODULE_NOT_PLACED = Doubt("module-not-placed", "{line}: {module} is not shown to be placed")
NOT_A_MOVABLE_TENSOR = Doubt(
    "not-a-movable-tensor", "{line}: {value} stays on the CPU, and is not shown to be a tensor that can be moved"
)
NOT_ON_DEVICE = Doubt("not-on-device", "{line}: {value} is not shown to be a tensor of the device")
MODULE_GOES_TO_UNKNOWN_CODE = Doubt(
    "module-goes-to-unknown-code", "{line}: the module is passed to code that is not known"
)
MAY_BE_WANTED_ON_CPU = Doubt("may-be-wanted-on-cpu", "{line}: {value} may be wanted on the CPU there")
OPERAND_NOT_KNOWN = Doubt(
    "operand-not-known", "{line}: {value} is used with a tensor on the device, and its own device is not known"
)
CLASS_IN_ANOTHER_FILE = Doubt(
    "class-in-another-file", "{line}: tensors made by the code of `{cls}` in another file are not checked"
)
ATTRIBUTE_STAYS = Doubt(
    "attribute-stays", "{line}: `{attribute}` stays on the CPU when the module moves (PF305 makes it a buffer)"
)
RESULT_NOT_ON_DEVICE = Doubt(
    "result-not-on-device", "{line}: {function} is not shown to return a tensor on the device of the module's input"
)
NUMPY_IN_MODULE = Doubt("numpy-in-module", "{line}: numpy computes inside a module")
READS_DEVICE_TENSOR = Doubt("reads-device-tensor", "{line}: {value} reads a tensor that may be on the device")
