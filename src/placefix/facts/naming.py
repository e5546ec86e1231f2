"""Evidence from identifiers: the only module that reads meaning out of names.

A name is evidence and no proof: a fix that rests on it has a premise. A predicate `names_…` takes one identifier, or the last one of a
dotted chain (``self.train_device``); a predicate `mentions_…` takes the text of an expression and finds the word anywhere in it.
Names of libraries (`torch_api`, `torch_model`) are no evidence but facts, and are not here.
"""

from __future__ import annotations

import re
from functools import lru_cache

# The same few names are looked up again and again.
_remembered = lru_cache(maxsize=4096)


def last(text: str) -> str:
    """The last identifier of a dotted chain: ``train_device`` of ``self.train_device``."""
    return text.rpartition(".")[2]


# --- devices ----------------------------------------------------------------------

_DEVICE = re.compile(
    r"^(?!_?(to|get|set|move|num|n|is|on|per|has|use|same|multi|send|put)_)_?(\w+_)?(device|dev)_?$", re.IGNORECASE
)
_PLAIN_DEVICE = re.compile(r"^_?(torch_?)?(device|dev)$", re.IGNORECASE)
_DEVICE_PARAMETER = re.compile(r"^_?(torch_?|target_|model_)?(device|dev)$", re.IGNORECASE)
_DEVICE_OR_NUMBER = re.compile(r"(^|_)(device|dev|gpu|rank|local_rank|gpu_id|device_id|cuda_id)s?$", re.IGNORECASE)
_DEVICE_OPTION = re.compile(r"^(device|dev)(_?name|_?type|_?str)?$", re.IGNORECASE)
_TAKES_DEVICE = re.compile(r"dev|gpu|cuda|rank|place|kw", re.IGNORECASE)
_TAKES_DEVICE_OR_DATA = re.compile(r"dev|gpu|cuda|rank|id$|ids$|block|where|arg|target|dtype")
_MENTIONS_DEVICE = re.compile(
    r"cuda|gpu|device|accelerator|is_avail|nccl|(?<![a-z])(?:cpu|mps|xpu|hpu|npu|xla)s?(?![a-z])", re.IGNORECASE
)
_MENTIONS_PLATFORM = re.compile(
    r"cuda|cpu|gpu|device|is_avail|(?<![a-z])(?:mps|xpu|npu|hpu)|acc|platform|system|machine|arch|darwin|mac|apple|metal|intel|ascend|gaudi"
    r"|habana|backend",
    re.IGNORECASE,
)
_CUDA_OR_CPU = re.compile(r"cpu|cuda|gpu", re.IGNORECASE)
_MENTIONS_DEV = re.compile(r"dev(?:ice)?s?\b", re.IGNORECASE)
_GPU_OPTION = re.compile(r"\bcuda|\bgpu|--device", re.IGNORECASE)
_MENTIONS_NUMBER = re.compile(r"rank|gpu|\bint\(|device_ids?\b|current_device", re.IGNORECASE)


@_remembered
def names_device(name: str) -> bool:
    """Whether a value of this name is a device: ``device``, ``train_device``, ``dev``; no ``to_device``, no ``num_device``."""
    return _DEVICE.match(name) is not None


def names_plain_device(name: str) -> bool:
    """Whether a value of this name is the one device of its code: ``device``, ``_dev``, ``torch_device``."""
    return _PLAIN_DEVICE.match(name) is not None


def names_device_parameter(name: str) -> bool:
    """Whether a parameter of this name is a device without further evidence: as `names_plain_device`, or ``target_device``."""
    return _DEVICE_PARAMETER.match(name) is not None


def names_dtype(name: str) -> bool:
    """Whether a value of this name is a dtype: ``dtype``, ``weight_dtype``. In ``x.type(dtype)`` it may be a tensor type of CUDA."""
    return name == "dtype" or name.endswith("_dtype")


@_remembered
def names_device_or_number(name: str) -> bool:
    """Whether a value of this name is a device or the number of one: ``gpu``, ``local_rank``, ``device_ids``."""
    return _DEVICE_OR_NUMBER.search(name) is not None


def names_device_option(text: str) -> bool:
    """Whether a dotted chain is a device of the object or of the settings, or its name: ``device``, ``args.device_type``."""
    owner, _, name = text.rpartition(".")
    return _DEVICE_OPTION.match(name) is not None and (not owner or names_device_owner(owner))


def names_device_argument(name: str) -> bool:
    """Whether a constructor's parameter of this name may hold a device: ``rank``, ``placement``, ``**kwargs``."""
    return _TAKES_DEVICE.search(name) is not None


def names_cuda_argument(name: str) -> bool:
    """Whether the first parameter of a method ``cuda(…)`` may be one of torch's: a device, a number, options."""
    return _TAKES_DEVICE_OR_DATA.search(name) is not None


def mentions_device(text: str) -> bool:
    """Whether a text has to do with devices: CUDA, GPUs, the CPU, another accelerator, NCCL."""
    return _MENTIONS_DEVICE.search(text) is not None


def mentions_cuda_or_cpu(text: str) -> bool:
    """Whether a text has to do with CUDA, a GPU or the CPU."""
    return _CUDA_OR_CPU.search(text) is not None


def mentions_device_or_platform(text: str) -> bool:
    """Whether a text has to do with devices, or with the machine or the maker of one."""
    return _MENTIONS_PLATFORM.search(text) is not None


def mentions_device_word(text: str) -> bool:
    """Whether a word of a text ends in device or dev."""
    return _MENTIONS_DEV.search(text) is not None


def mentions_gpu_option(text: str) -> bool:
    """Whether a string is an option or a value that chooses a device: ``--gpu``, ``cuda:0``, ``--device``."""
    return _GPU_OPTION.search(text) is not None


def mentions_device_number(text: str) -> bool:
    """Whether the value of a text is made of the number of a device: a rank, a GPU, ``int(…)``."""
    return _MENTIONS_NUMBER.search(text) is not None


# --- CUDA -------------------------------------------------------------------------

_CUDA = re.compile(r"cuda|gpu|is_avail", re.IGNORECASE)
_GPU_CODE = re.compile(r"cuda|gpu|nccl", re.IGNORECASE)
_CODE_OF = {
    name: re.compile(rf"(?<![a-z]){name}|(?<![A-Z]){name.upper()}|{name.capitalize()}")
    for name in ("mps", "xpu", "npu", "hpu")
}
_CPU = re.compile(r"(^|_)(cpu|cpu_only|force_cpu|use_cpu)($|_)", re.IGNORECASE)
_OTHER_QUESTION = re.compile(
    r"is_cuda|device_count|get_device|multi|(n|num|which)_?gpus?$|gpus?_?(count|num)$|local_rank|version|is_bf16"
    r"|cudart|cudnn|cuda_?graph|import|installed|compiled",
    re.IGNORECASE,
)
_NO_CUDA = re.compile(r"(^|_)(no|not|without|disable)_?(cuda|gpu)|^(use_|force_|on_)?cpu(_only)?$", re.IGNORECASE)
_NEGATION = re.compile(r"cpu|(^|[_.])(no|disable|without)_?", re.IGNORECASE)
_GPU_COUNT = re.compile(r"(^|_)(n|num)_?gpus?$|(^|_)gpus?_?(count|num)$", re.IGNORECASE)
_GPU_NUMBER = re.compile(r"(^|_)(gpus?|cuda_?(id|index|device|num)|gpu_?(id|index)s?|devices?|rank)$", re.IGNORECASE)
_CUDA_FLAG = re.compile(
    r"^_*((use|using|with|enable|run|on|is|has|have|want|try|to|do|no|not|without|disable|allow|force)_?(on_)?)*"
    r"(cuda|gpus?)(_?(is_?)?(enabled?|avail\w*|flag|mode|on|only|id|device))?$|^_*((use|force|on|no|not|is|run)_?)*cpu(_?only)?$",
    re.IGNORECASE,
)
_IS_CUDA = re.compile(r"^_?is_?cuda$", re.IGNORECASE)
_REQUIRES_GPU = re.compile(r"cuda|gpu|skip|require|nccl|mark\.slow", re.IGNORECASE)
_CHOOSES_GPUS = re.compile(
    r"(?:set|select|choose|pick|use|init|setup|specify|occupy)\w*_(?:gpus?|cuda|visible\w*|devices)(?:_|$)"
)
_SEVERAL_PROCESSES = re.compile(r"parallel|distrib|multi|local_rank|world_size|(?:^|_)ddp\b", re.IGNORECASE)
_RANK = re.compile(r"(^|[_.])(local_|global_|node_|proc(ess)?_)?rank$", re.IGNORECASE)
_PROCESS_COUNT = re.compile(r"world|size|nprocs|num_proc", re.IGNORECASE)
_COUNTED_GPUS = re.compile(r"range\(.*(gpu|cuda|device_?count|dcount)", re.IGNORECASE)
_NCCL = re.compile(r"^_*nccl(?=[A-Z])(?!GetVersion)")
_TENSORRT = re.compile(r"^(?!is_|has_).*(?:TensorRT|TRT(?![a-z])|(?:\b|_|2)trt(?:_|$))")


@_remembered
def names_cuda(name: str) -> bool:
    """Whether a name has to do with CUDA, or with whether there is some: ``use_gpu``, ``is_available``."""
    return _CUDA.search(name) is not None


def names_gpu_code(name: str) -> bool:
    """Whether code of this name is for GPUs: ``init_nccl``, ``CudaBackend``."""
    return _GPU_CODE.search(name) is not None


def names_nccl(name: str) -> bool:
    """Whether a function has the name of one of NCCL, which works on GPUs only: ``ncclSend``; no ``nccl_is_available``."""
    return _NCCL.match(name) is not None


def names_code_of(accelerator: str, name: str) -> bool:
    """Whether code of a name is for an accelerator, by the name of its devices: ``to_mps``, ``MPSBackend``; not ``timestamps`` or ``input``."""
    return _CODE_OF[accelerator].search(name) is not None


def names_cpu(name: str) -> bool:
    """Whether a name has to do with the CPU: ``use_cpu``, ``cpu_only``."""
    return _CPU.search(name) is not None


def names_other_question(name: str) -> bool:
    """Whether a name that mentions CUDA is about something other than whether to use it: the device of an object, the number of
    devices, the current one, a version."""
    return _OTHER_QUESTION.search(name) is not None


def mentions_version(text: str) -> bool:
    """Whether a text may have to do with the version of a library: ``torch.__version__``, ``TORCH_VERSION >= (2, 0)``."""
    return "version" in text.lower()


def names_no_cuda(name: str) -> bool:
    """Whether a flag of this name is true where CUDA is not to be used: ``no_cuda``, ``force_cpu``."""
    return _NO_CUDA.search(name) is not None


def mentions_negation(text: str) -> bool:
    """Whether the text of a test may be true where CUDA is not to be used: as `names_no_cuda`, by weaker evidence."""
    return _NEGATION.search(text) is not None


def names_gpu_count(name: str) -> bool:
    """Whether a value of this name is the number of GPUs to use: compared with zero it is a test for CUDA."""
    return _GPU_COUNT.search(name) is not None


def names_gpu_number(name: str) -> bool:
    """Whether a number of this name may be which GPU to use, or how many."""
    return _GPU_NUMBER.search(name) is not None


def names_cuda_flag(name: str) -> bool:
    """Whether a flag of this name is whether to use CUDA at all, and nothing else: ``use_cuda``, ``no_gpu``; no ``offload_cpu``."""
    return _CUDA_FLAG.match(name) is not None


def names_is_cuda(name: str) -> bool:
    """Whether a name is that of torch's attribute `is_cuda`, or nearly: of a flag, or of the device of an object."""
    return _IS_CUDA.match(name) is not None


def mentions_required_gpu(text: str) -> bool:
    """Whether a decorator is for machines with a GPU: ``requires_cuda``, ``pytest.mark.slow``."""
    return _REQUIRES_GPU.search(text) is not None


def names_gpu_choice(name: str) -> bool:
    """Whether a function of this name chooses the visible GPUs: ``set_gpu``, ``select_devices``."""
    return _CHOOSES_GPUS.match(name) is not None


def mentions_several_processes(text: str) -> bool:
    """Whether a test is for a run on several GPUs or by several processes: ``args.distributed``, ``multi_gpu``."""
    return _SEVERAL_PROCESSES.search(text) is not None


def names_rank(text: str) -> bool:
    """Whether a value of this dotted name is the rank of a process: ``rank``, ``args.local_rank``."""
    return _RANK.search(text) is not None


def mentions_process_count(text: str) -> bool:
    """Whether a text may be about the number of processes: ``world_size``, ``nprocs``."""
    return _PROCESS_COUNT.search(text) is not None


def mentions_counted_gpus(text: str) -> bool:
    """Whether a loop goes over the GPUs there are: ``range(num_gpus)``."""
    return _COUNTED_GPUS.search(text) is not None


def names_tensorrt(name: str) -> bool:
    """Whether code of this name uses TensorRT, Nvidia's inference engine: ``TRTModule``, ``torch2trt``; no ``is_trt_model``."""
    return _TENSORRT.search(name) is not None


def is_cuda_variable(key: object) -> bool:
    """Whether an environment variable may decide which GPUs are visible (an unknown name may)."""
    return not isinstance(key, str) or "CUDA" in key


# --- functions that move ----------------------------------------------------------

_CUDA_WORD = r"(?:[Cc]uda|CUDA|[Gg]pu|GPU)"
_MOVES_TO_CUDA = re.compile(
    rf"(?:(?<![A-Za-z])to|[a-z]To|2|(?<![A-Za-z])on_?to)_?(?:the_)?{_CUDA_WORD}"
    rf"|(?:put|place|load|move|set|send|copy)_?(?:it_)?(?:on|in|into)_?(?:the_)?{_CUDA_WORD}"
    rf"|^_?(?:(?:maybe|try|set|get|make|wrap|as|batch)_?)?{_CUDA_WORD}s?_?(?:i?[fs]y|i[sz]e|wrap|if_?available|var|variable|tensor|batch|data|sample)?s?_?$"
    rf"|^_?(?:var|variable|tensor|batch|data|sample)s?_{_CUDA_WORD}$|^to_device$"
)
_PROMISES_CUDA = re.compile(
    r"^_?(to_?|maybe_?|set_?|try_?|get_?|move_?to_?|put_?on_?|send_?to_?|copy_?to_?|batch_?to_?)?(cuda|gpu)s?_?$|^to_device$",
    re.IGNORECASE,
)
_MEASURES = re.compile(
    r"test|check|bench|compar|cpu|speed|time|mem(?:ory)?(?:_|$)|profil|diff|assert|has_|is_|can_", re.IGNORECASE
)
_MOVES = re.compile(r"(?:^|[_.])(?:to|move|cuda|gpu|device)(?:_|$)")


def names_move_to_cuda(name: str) -> bool:
    """Whether a function of this name moves its argument to CUDA: ``to_cuda``, ``put_on_gpu``, ``cudaify``."""
    return _MOVES_TO_CUDA.search(name) is not None


def names_cuda_contract(name: str) -> bool:
    """Whether a function of this name has CUDA for its purpose, whatever it is given: ``to_gpu``, ``cuda``."""
    return _PROMISES_CUDA.search(name) is not None


def names_measurement(name: str) -> bool:
    """Whether a function of this name tries, compares or measures: ``bench_gpu``, ``is_cuda``."""
    return _MEASURES.search(name) is not None


def mentions_move(text: str) -> bool:
    """Whether a function, by its dotted name, moves its argument: ``optimizer_to``, ``utils.move``."""
    return _MOVES.search(text) is not None


# --- settings, classes, tests -----------------------------------------------------

_SETTINGS = re.compile(
    r"^_?(args?|opts?|options|cfg|config|conf|hparams?|hps?|params?|flags|settings?|configs|train_?(args|cfg|config|opt)|\w*_(args|cfg|config|opt))$",
    re.IGNORECASE,
)
_TEST = re.compile(r"test_|Test")
_EXIT = re.compile(r"exit|quit|skip")


@_remembered
def names_settings(name: str) -> bool:
    """Whether an object of this name holds the settings of a script: ``args``, ``cfg``, ``train_config``."""
    return _SETTINGS.match(name) is not None


def names_device_owner(name: str) -> bool:
    """Whether an object of this name has a device by choice, and not because it is there: the object itself, or settings."""
    return name == "self" or names_settings(name)


def names_class(text: str) -> bool:
    """Whether the last name of a chain is written as that of a class."""
    return last(text)[:1].isupper()


def names_base_of_modules(text: str) -> bool:
    """Whether a class from which one with a ``forward`` derives is one of modules: ``BaseModule``, ``pl.LightningModule``; no ``DataModule``."""
    return text.endswith("Module") and not text.endswith("DataModule")


_LAYER = re.compile(r"(?:Module|Layer|Block|Norm(?:\dd)?|Linear|Attention|(?<!De)Conv\w*|MLP|FFN)$")


def names_layer(text: str) -> bool:
    """Whether the last name of a chain is that of a class of layers: ``mmcv.cnn.ConvModule``."""
    return names_class(text) and _LAYER.search(last(text)) is not None


def names_test(name: str) -> bool:
    """Whether a function or class of this name is a test."""
    return _TEST.match(name) is not None


def mentions_exit(text: str) -> bool:
    """Whether a function, by its dotted name, ends the program or the test: ``sys.exit``, ``pytest.skip``."""
    return _EXIT.search(text) is not None


# --- data and modules -------------------------------------------------------------

_LOADER = re.compile(r"load(er)?s?(_|\b)|_dls?\b|\bdls?\b", re.IGNORECASE)
_MOVING_LOADER = re.compile(r"prefetch|cuda|gpu|device|dali", re.IGNORECASE)
_LENGTHS = re.compile(r"len(gth)?s?$|lens", re.IGNORECASE)
_HOST_VALUE = re.compile(r"idx|indices|index|mask_list|names?$|path|sizes?$|shapes?$|dims?$", re.IGNORECASE)
_HOST_CODE = re.compile(r"numpy|^(?:cpu|np|tolist)$")
_WEIGHT = re.compile(r"^(\w+_)?(weight|bias)(_\w+)?$")
_MODULES = re.compile(r"models?$|nets?$|modules|ensemble|layers")
_CALLED_MODULE = re.compile(
    r"(^|_)(models?|net|network|module|encoder|decoder|generator|discriminator|classifier|backbone|critic|actor|policy|transformer|embeddings)(_?\d|_[a-z]\d?)?$",
    re.IGNORECASE,
)
_SEVERAL_MODULES = re.compile(r"(?:^|_)(?:\w*nets|networks|layers|models|modules|blocks|experts|branches)$")
_SCATTERING = re.compile(r"arallel|FSDP|DDP(?<!\wDDP)\b")
_CRITERION = re.compile(r"(^|_)(criterion|crit|loss)(_?(fn|func|function|f|g|d|\d))?$", re.IGNORECASE)
_STATE_MAKER = re.compile(r"(?:init|zero).*(?:hidden|state)", re.IGNORECASE)
_TENSOR_TYPE = re.compile(
    r"(?:\w+\.)*\w*Tensor(?: *\| *None)?|(?:\w+\.)*Optional\[(?:\w+\.)*\w*Tensor\]|['\"][\w.]*Tensor['\"]"
)
_OPTIMIZER_MAKER = re.compile(
    r"(?:^|_|\.)optim(?:izer)?s?(?:_(?:fn|func|cls|class|type|fact(?:ory)?|dict|map|constructor))?$", re.IGNORECASE
)
_SCHEDULE = re.compile(r"sched|scaler", re.IGNORECASE)
_CHECKPOINT = re.compile(
    r"(?<![a-z])(?:checkpoints?|chk_?(?:pt|point)|check_points?|c(?:k|h)?pts?|state_?dicts?|models?|nets?|networks?|weights|pretrained|resume|snapshot)(?![a-z])",
    re.IGNORECASE,
)
_NO_CHECKPOINT = re.compile(
    r"data|feat|vocab|cache|arg|token|config|cfg|index|memory|history|label|spec|embed|(?<![a-z])(?:ids?|meta|stats?|info|hparams|opts?|embs?)(?![a-z])",
    re.IGNORECASE,
)
_TRACING = re.compile(
    r"(?<!not )(?<![\w.])(?:\w+\.)*is_(?:torch_)?(?:fx_)?(?:proxy|fx_proxy|tracing|fx_tracing|in_onnx_export|scripting)\b"
)


def mentions_scattering(text: str) -> bool:
    """Whether a text names what splits the inputs of a module over GPUs: DataParallel, DDP, FSDP."""
    return _SCATTERING.search(text) is not None


def names_modules(name: str) -> bool:
    """Whether a list of this name holds modules: ``blocks``, ``self.subnets``."""
    return _SEVERAL_MODULES.search(name) is not None


def mentions_host_loader(text: str) -> bool:
    """Whether a loop over this text gets batches as they were collated on the CPU: a loader's, and not of one that moves them."""
    return _LOADER.search(text) is not None and _MOVING_LOADER.search(text) is None


def names_lengths(name: str) -> bool:
    """Whether a tensor of this name holds lengths, which belong on the CPU."""
    return _LENGTHS.search(name) is not None


def names_host_value(name: str) -> bool:
    """Whether a value of this name is no tensor, or one that belongs on the CPU: lengths, indices, names, sizes."""
    return names_lengths(name) or _HOST_VALUE.search(name) is not None


def names_host_code(name: str) -> bool:
    """Whether code of this name copies values to the host, or computes there: ``cpu``, ``tolist``, ``np``, ``from_numpy``."""
    return _HOST_CODE.search(name) is not None


def names_weight(name: str) -> bool:
    """Whether an attribute of this name is a parameter of a layer: ``weight``, ``bias_ih_l0``."""
    return _WEIGHT.match(name) is not None


def names_tensor_type(text: str) -> bool:
    """Whether an annotation is the type of a tensor, or of one that may be None: ``LongTensor``, ``Optional[torch.Tensor]``."""
    return _TENSOR_TYPE.fullmatch(text) is not None


def mentions_modules(text: str) -> bool:
    """Whether a value is a module or several, by its dotted name: ``self.nets``, ``ensemble``."""
    return _MODULES.search(text) is not None


def names_called_module(name: str) -> bool:
    """Whether something of this name that is called with tensors is a module, or computes a loss: ``self.network``, ``netD``, ``criterion``."""
    return _CALLED_MODULE.search(name) is not None or mentions_modules(name) or names_criterion(name)


def names_criterion(name: str) -> bool:
    """Whether a function or module of this name computes a loss: ``criterion``, ``loss_fn``, ``ce_loss``."""
    return _CRITERION.search(name) is not None


def names_state_maker(name: str) -> bool:
    """Whether a method of this name makes a first hidden state: ``init_hidden``, ``zero_state``."""
    return _STATE_MAKER.search(name) is not None


def names_optimizer_maker(name: str) -> bool:
    """Whether what has this name makes an optimizer if it is called with parameters: ``optimizer_fn``, ``self.optim_cls``; not ``optimize``."""
    return _OPTIMIZER_MAKER.search(name) is not None


def mentions_schedule(text: str) -> bool:
    """Whether an object is a scheduler or scaler, by its dotted name: its state holds no tensors."""
    return _SCHEDULE.search(text) is not None


def mentions_checkpoint(text: str) -> bool:
    """Whether a name, a path or a key is that of weights, or of a file with weights: ``best_model.pt``, ``resume``, "state_dict"."""
    return _CHECKPOINT.search(text) is not None and not mentions_no_checkpoint(text)


def mentions_no_checkpoint(text: str) -> bool:
    """Whether a name, a path or a key is that of something a program keeps that holds no weights: data, features, settings, a scheduler."""
    return _NO_CHECKPOINT.search(text) is not None or mentions_schedule(text)


def mentions_tracing(text: str) -> bool:
    """Whether a test is true while a graph of the code is recorded: ``is_torch_fx_proxy(x)``, ``torch.jit.is_tracing()``."""
    return _TRACING.search(text) is not None
