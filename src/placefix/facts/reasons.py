"""The reasons why a finding has no fix, or why code is correct unchanged. Edit a sentence here and nowhere else.

Fields are in backticks already where the row has none; `line` is a row of the file as outputs print it ("line 3").
"""

from __future__ import annotations

from placefix.facts.wording import Reason

# PF1xx, PF2xx: the order of modules, wraps and optimizers

PLACED_IN_ANOTHER_FUNCTION = Reason("placed-in-another-function", "the module is placed in another function")
MAY_PLACE_ANOTHER = Reason("may-place-another", "{line} may place another module as well")
NOT_ON_WRAPPER = Reason("not-on-wrapper", "the placement is not called on the wrapper directly")
WRAP_IN_PARENTHESES = Reason("wrap-in-parentheses", "the wrap is in parentheses")
WRAPPED_NOT_AN_ARGUMENT = Reason("wrapped-not-an-argument", "the wrapped module is not a separate argument")
UNNAMED_AND_CONDITIONAL = Reason(
    "unnamed-and-conditional", "the wrapped module has no name and its placement is conditional"
)
WRAPPED_UNNAMED = Reason("wrapped-unnamed", "the wrapped module has no name that a placement could be called on")
SECOND_NAME = Reason("second-name", "the placed wrapper gets a second name")
PLACED_IN_PARENTHESES = Reason("placed-in-parentheses", "the placed expression is in parentheses")
MADE_WITH_WRAP = Reason("made-with-wrap", "`{name}` is made or assigned again in the same block as the wrap")
USES_WRAPPER = Reason("uses-wrapper", "{line} uses the wrapper, not only the module")
SWITCHES_MODE = Reason("switches-mode", "{line} switches the wrapper's mode as well")
READS_THROUGH_WRAPPER = Reason("reads-through-wrapper", "the placement reads `{name}` through the wrapper")
PLACES_AND_MORE = Reason("places-and-more", "{line} does more than place the module")
DEFINES_NEEDED = Reason("defines-needed", "{line} defines `{name}`, which the placement needs")
USES_CHANGED = Reason("uses-changed", "{line} uses `{name}`, which would change")
PLACEMENT_PRINTS = Reason("placement-prints", "the placement prints, and so does {line}: the order would change")
PLACED_IN_FUNCTION_AT = Reason("placed-in-function-at", "the module is placed in another function ({line})")
NEVER_USED = Reason("never-used", "this optimizer is never used: {line} builds it again first")
CHANGES_PARAMETERS = Reason("changes-parameters", "{line} changes the module's parameters")
INITIALISES_MODULE = Reason(
    "initialises-module", "{line} initialises the module, and the device's random numbers differ"
)
RUNS_MODULE = Reason("runs-module", "{line} runs the module")
MODULE_TO_UNKNOWN_CODE = Reason("module-to-unknown-code", "{line} passes the module to unknown code")
PLACES_MODULE = Reason("places-module", "{line} places the module as well")
PLACES_PART = Reason("places-part", "{line} places a part of the module")
COPIES_MODULE = Reason("copies-module", "{line} copies the module, and the copy would change device")
COMPUTES_WITH_PARAMETERS = Reason("computes-with-parameters", "{line} computes with the module's parameters")
READS_DEVICE = Reason("reads-device", "{line} reads the device of the module")
CHOOSES_VISIBLE_GPUS = Reason("chooses-visible-gpus", "{line} chooses the visible GPUs")
MEASURES_MEMORY = Reason("measures-memory", "{line} measures the device's memory")
MAY_LEAVE_BLOCK = Reason("may-leave-block", "{line} may leave this block")
SETS_CURRENT_DEVICE = Reason("sets-current-device", "{line} sets the current CUDA device")
SAVES_TENSORS = Reason("saves-tensors", "{line} saves or copies the module's tensors")
CHANGES_TYPE = Reason(
    "changes-type", "the placement also changes the type, and the optimizer's state would change with it"
)
PLACEMENT_IN_ANOTHER_FUNCTION = Reason("placement-in-another-function", "the placement is in another function")
MADE_BY_FUNCTION = Reason("made-by-function", "another function makes the optimizer, and other code may call it")
PLACEMENTS_IN_DIFFERENT_BLOCKS = Reason("placements-in-different-blocks", "the placements are in different blocks")
NEITHER_MOVES = Reason("neither-moves", "{down}; the placement cannot move up either: {up}")
USES_AND_PLACES = Reason("uses-and-places", "{line} uses the optimizer and places the module")
BUILT_AGAIN_WITH_CELL = Reason(
    "built-again-with-cell", "{line} uses the optimizer, which would be built again whenever its cell is run again"
)
SAMPLER_UNNAMED = Reason("sampler-unnamed", "the sampler has no name in the function with the loop over the epochs")
WRAPPED_ON_SOME_PATHS = Reason(
    "wrapped-on-some-paths", "without the wrap `{name}.module` does not exist: read the attribute before the wrap"
)
LOAD_INTO_MODULE = Reason("load-into-module", "load it into `{name}.{inside}`, or before the wrap")
PROCESS_GPU_NOT_KNOWN = Reason(
    "process-gpu-not-known", "each process needs the one GPU that its module is on, such as `[local_rank]`"
)
CALLED_PAST_DDP = Reason(
    "called-past-ddp",
    "`.module.{name}(…)` runs outside of DistributedDataParallel, which averages no gradients then: call it in `forward`",
)
SETS_WEIGHTS = Reason("sets-weights", "{line} sets the module's weights, of which the optimizer may hold copies")
MORE_THAN_READS_PARAMETERS = Reason(
    "more-than-reads-parameters", "{line} does more with the module than read its parameters"
)
MORE_THAN_BUILDS = Reason("more-than-builds", "{line} does more than build the optimizer")
WOULD_HAPPEN_LATER = Reason("would-happen-later", "{line} leads to `{effect}`, which would happen later")
USES_OPTIMIZER_BEFORE = Reason("uses-optimizer-before", "{line} uses the optimizer before the module is placed")
STEPS_BEFORE = Reason("steps-before", "{line} steps the optimizer before the module is placed")
MORE_THAN_USES_OPTIMIZER = Reason("more-than-uses-optimizer", "{line} does more than use the optimizer")
CHANGES_READ = Reason("changes-read", "{line} changes `{name}`, which {reader} reads")
USES_DEFINED = Reason("uses-defined", "{line} uses `{name}`, which {definition} defines")
BOTH_PRINT = Reason("both-print", "{line} prints, and so does {other}: the order would change")
ASSIGNED_AGAIN = Reason("assigned-again", "`{name}` is assigned again between the optimizer and the placement")
FIRST_DEVICE_ID = Reason("first-device-id", "its device_ids begin with {index}: the module belongs there")
NO_DEVICE_AT_WRAP = Reason("no-device-at-wrap", "no device is defined where the module is wrapped")
HELD_ON_ANOTHER_GPU = Reason(
    "held-on-another-gpu", "either the module belongs on cuda:{first}, or device_ids has to begin with {held}"
)
MORE_THAN_READS_MODULE = Reason("more-than-reads-module", "{line} does more with the module than read it")
MOVED_UNDER_DDP = Reason(
    "moved-under-ddp",
    "to save a checkpoint, copy the state instead: `{{k: v.cpu() for k, v in model.module.state_dict().items()}}`; otherwise wrap the module again",
)
STARTS_PROCESSES = Reason("starts-processes", "{line} starts processes")
USES_OPTIMIZER_AND_MORE = Reason(
    "uses-optimizer-and-more", "{line} uses the optimizer and does more with the module than read it"
)

# PF3xx: tensors and modules on the wrong device

NO_DEVICE_HERE = Reason("no-device-here", "no device is in scope here")
CHANGED_IN_PLACE = Reason("changed-in-place", "it is changed in place, and a move gives a copy")
CONTENTS_NOT_KNOWN = Reason("contents-not-known", "the contents of the batch are not known")
NOTHING_TO_ASSIGN = Reason("nothing-to-assign", "the moved expression has no name to assign to")
LOOP_ITEM = Reason("loop-item", "assigning `{name}` would not change the container of the loop")
NOT_OF_THIS_FUNCTION = Reason("not-of-this-function", "`{name}` is not a name of this function")
INSIDE_CONTAINER = Reason("inside-container", "it is passed inside a container")
NO_DEVICE_AT_DISTRIBUTION = Reason("no-device-at-distribution", "no device is in scope where the distribution is made")
MADE_IN_ANOTHER_FILE = Reason("made-in-another-file", "it is made in another file")
NOT_MADE_ALONE = Reason("not-made-alone", "it is not made by a separate statement")
WEIGHTS_SET_ON_CPU = Reason(
    "weights-set-on-cpu", "its weights are set on the CPU after it is made: place it after that"
)
ARGUMENT_COPIED = Reason("argument-copied", "the code that makes it copies its argument: make it after that is placed")
NO_DEVICE_WHERE_MADE = Reason("no-device-where-made", "no device is in scope where it is made")
COPY_WHERE_ADDED = Reason("copy-where-added", "copy its tensors to the CPU where they are added to it")
READ_BY_NUMPY = Reason("read-by-numpy", "numpy reads `{name}`, too, and needs it on the CPU")
NN_HAS_NO_NAME = Reason("nn-has-no-name", "torch.nn has no name here")
LEFT_IN_ANOTHER_FILE = Reason("left-in-another-file", "placefix does not edit another file from here")
MAKE_IN_INIT = Reason("make-in-init", "make it in `__init__`, where it is trained and saved from then on")

# PF4xx: code that names CUDA

AMP_TOO_NEW = Reason(
    "amp-too-new",
    "torch.amp.{name} exists from torch {need_major}.{need_minor} on, and target-torch is {major}.{minor}",
)
RESULT_DISCARDED = Reason("result-discarded", "the result of this move is discarded, so another device changes nothing")
AMP_WOULD_BE_MIXED = Reason(
    "amp-would-be-mixed",
    "the file also uses torch.cuda.amp.{name}, and torch.amp.{name} exists from torch {need_major}.{need_minor} on",
)
AMP_CLASS_COMPARED = Reason(
    "amp-class-compared", "code of the repository tests for torch.cuda.amp.{name}, and a torch.amp.{name} is not one"
)
NOT_CALLED_HERE = Reason("not-called-here", "it is not called here, and its arguments elsewhere are not known")
TORCH_NOT_NAMED = Reason("torch-not-named", "torch is not imported by name here")
NAME_SPANS_LINES = Reason("name-spans-lines", "the name spans several lines")
NOT_ONLY_CALLED = Reason("not-only-called", "not every use of `{name}` is a plain call")
VERSION_TESTED = Reason("version-tested", "a test of versions decides whether this line runs")
IMPORTED_SEVERAL_WAYS = Reason("imported-several-ways", "the name is imported in several ways")
IMPORTED_BY_ANOTHER_FILE = Reason("imported-by-another-file", "another file imports `{name}` from this one")
USED_OTHERWISE = Reason("used-otherwise", "`{name}` is used in other ways than calls")
IMPORT_WOULD_BE_SPLIT = Reason(
    "import-would-be-split", "the import has comments or continuation lines and would have to be split"
)
OTHER_BRANCH_STOPS = Reason("other-branch-stops", "the other branch stops the program: it does not run without CUDA")
OTHER_BRANCH_DIFFERS = Reason("other-branch-differs", "the other branch does something else")
NUMBERED_AND_CHOSEN_ELSEWHERE = Reason(
    "numbered-and-chosen-elsewhere", "`{device}` names cuda:{index}, and the file chooses GPUs in other places"
)
FLAG_SET_AGAIN = Reason("flag-set-again", "`{test}` may be set again between the device and the guard")
OTHER_CODE_PLACES = Reason("other-code-places", "when `{test}` is false, other code places things as well")
OTHER_GUARDS_DIFFER = Reason(
    "other-guards-differ", "other guards around it test `{test}`, and one device cannot follow both"
)
FLAG_NOT_ASSIGNED_YET = Reason(
    "flag-not-assigned-yet", "there is no line at which a device for `{test}` can be defined"
)
DEVICE_NOT_KNOWN_HERE = Reason("device-not-known-here", "`{device}` is not known here")
NCCL_NEEDS_CUDA = Reason("nccl-needs-cuda", "the file uses several processes with NCCL, which needs CUDA")
RESERVES_MEMORY = Reason("reserves-memory", "nothing reads `{name}`: it only takes memory of the GPU")
MEANT_FOR_GPUS = Reason("meant-for-gpus", "the code around it is meant for GPUs")
GPU_NUMBER_USED = Reason(
    "gpu-number-used", "the result is the number of a GPU: the code that uses it has to handle the case without one"
)
ANSWER_USED = Reason("answer-used", "the program uses the answer, and there is none without {accelerator}")
SHARES_ITS_LINE = Reason("shares-its-line", "there is other code on its line")
CALLER_MAY_PASS_DEVICE = Reason("caller-may-pass-device", "a caller can pass another device")
PARAMETER_TESTED = Reason("parameter-tested", "`{function}` tests the value of `{parameter}`")
TORCHSCRIPT = Reason("torchscript", "TorchScript compiles the function")
OWN_REFERENCE = Reason("own-reference", "`{name}` is its own reference")
REBOUND_BEFORE_MOVE = Reason("rebound-before-move", "`{device}` is bound again before the move")
MAY_BE_ANOTHER_GPU = Reason("may-be-another-gpu", "`{device}` may be another GPU than that of `{tensor}`")
FUNCTION_FOR_CUDA = Reason("function-for-cuda", "by its name, the function is for CUDA")
TEST_OF_CUDA = Reason("test-of-cuda", "it is a test of CUDA itself")
DEFINED_WITH_CUDA = Reason("defined-with-cuda", "the code around it is defined only with CUDA")
DECORATOR_NEEDS_GPU = Reason("decorator-needs-gpu", "by a decorator, it needs a GPU")
STREAMS_OR_GRAPHS = Reason("streams-or-graphs", "the code around it uses CUDA streams or graphs")
PROGRAM_ENDS_WITHOUT_CUDA = Reason("program-ends-without-cuda", "without CUDA the program ends before it")
FOLLOWS_OTHER_DEVICE = Reason("follows-other-device", "it follows the device of something else")
MOVES_FROM_CPU = Reason("moves-from-cpu", "it moves tensors to the GPU that it finds on the CPU")
TYPE_SELECTS_CODE = Reason("type-selects-code", "a CUDA tensor type selects the code that runs with CUDA")
TEST_NOT_KNOWN = Reason("test-not-known", "the meaning of `{test}` here is not known")
GUARD_TESTS_MORE = Reason("guard-tests-more", "its guard tests more than CUDA")
GUARD_DOES_MORE = Reason("guard-does-more", "its guard does more than place things")
SCRIPTED_MODULE_STAYS = Reason(
    "scripted-module-stays",
    "a scripted module stays on the device that it is loaded to, and later code may rely on that",
)
COMMENTS_BEFORE_END = Reason("comments-before-end", "there are comments between its arguments and its end")
STILL_NEEDS_CUDA = Reason("still-needs-cuda", "{line} still needs CUDA")
OWN_METHOD = Reason("own-method", "{receiver} has its own `.{method}()`")
TO_NOT_USED = Reason("to-not-used", "{receiver} has its own `.to()`, which `.{method}()` does not call")
OBJECT_WITHOUT_TO = Reason(
    "object-without-to", "{receiver} may be, or contain, an object of {cls} with a `.cuda()` and no `.to()`"
)
FOREIGN_OBJECTS = Reason("foreign-objects", "the file uses {package}, whose objects have methods of that name too")
MAY_BE_OWN_CLASS = Reason("may-be-own-class", "{receiver} may be a `{cls}`, which has its own `.{method}()`")
OWN_METHOD_OR_TO = Reason("own-method-or-to", "{receiver} has its own `.{method}()` or `.to()`")
SEVERAL_GPUS = Reason("several-gpus", "the file uses several GPUs ({names})")
DEFAULT_DEVICE_SET = Reason("default-device-set", "set_default_device already places every new tensor")
LOADER_PLACES = Reason("loader-places", "`{option}` lets the loader place the model; use the device of the model")
FRAMEWORK_PLACES = Reason("framework-places", "{name} places modules and tensors itself; use its device")
FRAMEWORK_DEVICE = Reason("framework-device", "{name} places modules and tensors itself; use its device: `{device}`")
TRITON_KERNELS = Reason("triton-kernels", "the file has Triton kernels, which run on GPUs only")
MEASURES_GPU = Reason("measures-gpu", "`{function}` only measures the GPU")
LIBRARY_FOR_GPUS = Reason("library-for-gpus", "the file imports `{library}`, a library for GPUs")
MOVED_PARAMETER = Reason(
    "moved-parameter", "on a device the moved object is not a Parameter: move the tensor first (PF205)"
)
MOVED_AT_ANOTHER_USE = Reason(
    "moved-at-another-use", "{line} moves `{name}` where it is read: this use may need the same"
)
LEARNED_ATTRIBUTE = Reason(
    "learned-attribute",
    "`{attribute}` collects gradients: make it an nn.Parameter, which optimizers of the module then get as well",
)
DEFAULT_TENSOR_TYPE = Reason(
    "default-tensor-type", "set_default_tensor_type already places every new tensor on the GPU"
)
NAMED_FOR_CUDA = Reason("named-for-cuda", "by its name, the function `{function}` is for {accelerator}")
HANDLED_WITHOUT_GPU = Reason("handled-without-gpu", "the `except` around it handles the case without a GPU")
MAY_BE_NUMBER_OR_NONE = Reason(
    "may-be-number-or-none",
    "{argument} may be the number of a particular GPU, or None for the current one, and `.to(None)` moves nothing",
)
STORAGE_TO = Reason("storage-to", "the `to` of a storage needs `device=`, and some versions of torch do not have it")
READS_STRING = Reason("reads-string", "`{function}` reads its `{parameter}` as a string, or passes it to code that may")
BOUND_SEVERAL_TIMES = Reason("bound-several-times", "the name is bound in several places")
NAMES_GPU = Reason("names-gpu", "it names the GPU cuda:{index}")
OTHER_NUMBERS = Reason("other-numbers", "float32 computes other numbers on every machine")
NAMES_DEVICE = Reason("names-device", "it names one particular device, {device}")
OTHER_ACCELERATOR_NAMED = Reason(
    "other-accelerator-named",
    "the file also names {other}: which device is meant without {accelerator} is not known",
)
NEEDS_PLUGIN = Reason(
    "needs-plugin", "{module} exists only after `import {plugin}`, which is not an unconditional import of this file"
)
NEEDS_PLUGIN_OR_TORCH = Reason(
    "needs-plugin-or-torch",
    "{module} exists from torch {needed} on or after `import {plugin}`, and target-torch is {target}",
)
NAMES_FIRST_OF_SEVERAL = Reason("names-first-of-several", "it names cuda:0, and the file chooses GPUs in other places")
NAMES_FIRST_FOR_CUDA = Reason(
    "names-first-for-cuda", "it names cuda:0, as functions of the file do that are meant for CUDA"
)
NO_LINE_FOR_DEVICE = Reason("no-line-for-device", "there is no line for a device definition that every path passes")
MOVED_UNDER_A_TEST = Reason("moved-under-a-test", "`{name}` is moved under a test of it")
DEVICE_MAY_BE_NONE = Reason("device-may-be-none", "`{device}` may be None, and `.to(None)` moves nothing")
DEVICE_OF_SEVERAL_FLAGS = Reason("device-of-several-flags", "`{device}` follows one of several flags")
DEVICE_NAMES_ONE_GPU = Reason("device-names-one-gpu", "`{device}` names one particular GPU, `.cuda()` the current one")
TYPE_ASSIGNED_OR_USED = Reason(
    "type-assigned-or-used", "`{name}` is assigned or used in ways that a device does not support"
)
NO_DEVICE_FITS_OR_IMPORTED = Reason(
    "no-device-fits-or-imported", "no device fits all its uses, or other files may import it"
)
KEYWORD_ARGUMENTS = Reason("keyword-arguments", "it has keyword arguments")
ARGUMENT_IS_TENSOR = Reason("argument-is-tensor", "its argument is a tensor, which it returns unchanged")
TYPE_USED = Reason("type-used", "`{name}` is used in ways that a device does not support")
ASSIGNED_WITH_OTHERS = Reason("assigned-with-others", "the statement that assigns it does other things as well")
MAY_BE_IMPORTED = Reason("may-be-imported", "other files may import it")
NO_DEVICE_FITS_TEST = Reason("no-device-fits-test", "no device fits all its uses and the test that decides it")
BOTH_BRANCHES_PLACE = Reason("both-branches-place", "both branches place on CUDA")
BRANCH_WITHOUT_CUDA_PLACES = Reason(
    "branch-without-cuda-places", "the branch that places on CUDA is the one without CUDA"
)
NOT_THE_SAME_EXPRESSION = Reason(
    "not-the-same-expression", "the other branch is not the same expression without the move"
)
COMMENT_INSIDE = Reason("comment-inside", "there is a comment inside the expression")
DEVICE_BOUND_BELOW = Reason(
    "device-bound-below",
    "`{device}` is bound further down, and it is not known whether it is CUDA exactly when `{test}` is true",
)
DEVICE_NOT_SHOWN_TO_FOLLOW = Reason(
    "device-not-shown-to-follow",
    "it is not known whether `{device}` is CUDA exactly when `{test}` is true",
)
VALUE_BOUND_BELOW = Reason("value-bound-below", "`{device}` is bound further down, and its value here is not known")
VALUE_NOT_KNOWN = Reason("value-not-known", "the value of `{device}` here is not known")
ACCELERATOR_SINCE = Reason(
    "accelerator-since",
    'with `target-torch = "{needed}"` or later the new device is that of torch.accelerator; it is {target} now',
)

# PF501: a script that places nothing

OPTIMIZES_NO_OWN_MODULE = Reason("optimizes-no-own-module", "it is not shown to optimize a module that this file makes")
MODULE_NOT_MADE_ALONE = Reason("module-not-made-alone", "a module is not made by a separate statement")
PARTS_SET_LATER = Reason("parts-set-later", "parts of `{module}` are set at lines where it may not be complete")
NO_LINE_FOR_SCRIPT_DEVICE = Reason(
    "no-line-for-script-device", "there is no line where a device for the whole script could be defined"
)

# The strings of fixes of all rules

NO_QUOTES_LEFT = Reason("no-quotes-left", "it is in f-strings that leave no quotes for a new string")

# The inventory: uses of CUDA that no rule reports

NOT_KNOWN_WITHOUT_CUDA = Reason("not-known-without-cuda", "its behaviour without CUDA is not known")
REDUCTIONS_DIFFER = Reason(
    "reductions-differ",
    "the loss adds means and sums: neither the mean nor the sum over the GPUs is the loss of the batch",
)
NO_SELECTED_RULE = Reason("no-selected-rule", "no selected rule repairs it here")
TEST_DECIDES = Reason(
    "test-decides",
    "a test decides whether it runs: right without CUDA, but for CUDA alone, and no rule can drop the test",
)
