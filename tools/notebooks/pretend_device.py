"""A device that is not the CPU, for machines without a GPU: it computes there all the same.

``import pretend_device`` gives torch a device "pretend". Its tensors keep their numbers in a tensor
on the CPU, which only this module sees, and every operation on them is done there. What it adds is
what it refuses, as CUDA does and in CUDA's words:

- an operation on tensors of two devices. Allowed are copies, indices on the CPU for a tensor on the
  device, and a CPU tensor without dimensions among the operands of an elementwise operation;
- a CPU generator for random numbers on the device, whose own random state is apart from the CPU's;
- ``.numpy()``, and whatever calls it, before ``.cpu()``.

Each refusal is also kept in ``refusals``, so that an ``except`` around it hides nothing, and
``operations`` counts what was done there.

It shows nothing of a GPU's kernels, speed, memory or rounding. Autocast does not know it, it has no
``torch.Generator`` of its own, what would resize a tensor raises NotImplementedError, and a module
cannot be moved while a graph for ``backward`` hangs on its parameters.

torch calls the way in (a backend written in Python) experimental: where ``MISSING`` is not empty,
this version of torch lacks it, and the module does nothing.
"""

import contextlib
import copy
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

try:
    from torch.utils.backend_registration import (
        _DummyBackendModule,
        _setup_privateuseone_for_python_backend,
    )

    MISSING = ""
except ImportError:
    MISSING = f"torch {torch.__version__} takes no device written in Python; torch 2.13 does"

NAME = "pretend"

# What was refused so far: the message and the line that asked for it.
refusals: list[str] = []
operations = 0


class PretendTensor(torch.Tensor):
    """A tensor on the pretend device. ``hidden`` holds its numbers, on the CPU."""

    hidden: torch.Tensor

    @staticmethod
    def __new__(cls, hidden: torch.Tensor) -> "PretendTensor":
        tensor = torch.Tensor._make_wrapper_subclass(
            cls,
            hidden.shape,
            strides=hidden.stride(),
            storage_offset=hidden.storage_offset(),
            dtype=hidden.dtype,
            device=torch.device(NAME, 0),
        )
        tensor.hidden = hidden
        return tensor

    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]  # torch types it as a static method
        cls, operation: Any, types: Any, args: tuple = (), kwargs: dict | None = None
    ) -> Any:
        return _compute(operation, args, kwargs or {})

    def __deepcopy__(self, memo: dict) -> "PretendTensor":
        if not self.is_leaf:
            raise RuntimeError("Only Tensors created explicitly by the user support deepcopy")
        if id(self) not in memo:
            memo[id(self)] = twin = self.detach().clone().requires_grad_(self.requires_grad)
            twin.grad = copy.deepcopy(self.grad, memo)
            own = {name: value for name, value in self.__dict__.items() if name != "hidden"}
            twin.__dict__.update(copy.deepcopy(own, memo))  # such as the mark of a parameter
        return memo[id(self)]

    # What torch reads from memory without an operation. All but the first two copy, as on CUDA.

    def data_ptr(self) -> int:
        return self.hidden.data_ptr()

    def untyped_storage(self) -> torch.UntypedStorage:
        return self.hidden.untyped_storage()

    def tolist(self) -> Any:
        return self.cpu().tolist()

    def __format__(self, specification: str) -> str:
        return format(self.detach().cpu(), specification)

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]
        text = repr(self.detach().cpu()).removesuffix(")")
        gradient = ", requires_grad=True" if self.requires_grad else ""
        return f"{text}, device='{self.device}'{gradient})"

    def numpy(self, *, force: bool = False):
        if force:
            return self.detach().cpu().numpy()
        _refuse(
            TypeError,
            f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy "
            "the tensor to host memory first.",
        )

    def __array__(self, *args, **options):
        return self.numpy()


def _refuse(kind: type[Exception], message: str) -> None:
    lines = [
        f"{frame.filename}, line {frame.lineno}: {frame.line}"
        for frame in traceback.extract_stack()
        if frame.filename != __file__ and "site-packages" not in Path(frame.filename).parts
    ]
    refusals.append("\n  ".join([message, *lines[-1:]]))
    raise kind(message)


# --- operations --------------------------------------------------------------------------------

_COPIES = {"aten::_to_copy", "aten::copy_", "aten::copy", "aten::_copy_from"}
_INDEXING = {
    "aten::index",
    "aten::_unsafe_index",
    "aten::index_put",
    "aten::index_put_",
    "aten::_index_put_impl_",
}
# Not elementwise, but CUDA takes a CPU tensor without dimensions for their last argument.
_TAKES_A_NUMBER = {
    "aten::fill_",
    "aten::masked_fill",
    "aten::masked_fill_",
    "aten::index_fill",
    "aten::index_fill_",
}


def _compute(operation: torch._ops.OpOverload, args: tuple, kwargs: dict) -> Any:
    """Do on the CPU what was asked of the device, unless CUDA would refuse it."""
    global operations
    operations += 1
    name = operation._schema.name
    wanted = kwargs.get("device")
    if wanted is not None:
        wanted = torch.device(wanted).type
        if wanted == NAME:
            kwargs = {**kwargs, "device": torch.device("cpu")}
    values = list(_flat((args, kwargs)))
    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    ours = [tensor for tensor in tensors if isinstance(tensor, PretendTensor)]
    if name not in _COPIES and len(ours) < len(tensors):
        _check_same_device(operation, args, tensors)
    if ours or wanted == NAME:
        for value in values:
            if isinstance(value, torch.Generator):
                _refuse(
                    RuntimeError,
                    f"Expected a '{NAME}' device type for generator but found '{value.device}'",
                )
    if torch.Tag.inplace_view in operation.tags:
        raise NotImplementedError(f"the pretend device cannot change a shape in place: {name}")
    if name == "aten::_fused_sdp_choice":
        return 0  # the kernel of sums and products: the fused ones belong to one device each

    is_random = torch.Tag.nondeterministic_seeded in operation.tags
    with _own_random_state() if is_random else contextlib.nullcontext():
        result = operation(*_unwrapped(args), **_unwrapped(kwargs))
    for tensor in ours:
        if tensor.shape != tensor.hidden.shape:
            raise NotImplementedError(f"the pretend device cannot resize a tensor: {name}")
    if name == "aten::copy_":
        return args[0]
    if wanted not in (None, NAME) or not (ours or wanted):
        return result
    known = {id(tensor.hidden): tensor for tensor in ours}

    def wrap(tensor: torch.Tensor) -> torch.Tensor:
        return known[id(tensor)] if id(tensor) in known else PretendTensor(tensor)

    return _changed(result, wrap)


def _check_same_device(operation: torch._ops.OpOverload, args: tuple, tensors: list) -> None:
    """Refuse tensors of two devices, in the cases in which CUDA does."""
    name = operation._schema.name
    if name in _INDEXING and isinstance(args[0], PretendTensor):
        tensors = [args[0], *args[2:3]]  # the indices may be on either device
        takes_a_number = True
    else:
        takes_a_number = torch.Tag.pointwise in operation.tags or name in _TAKES_A_NUMBER
    written = [
        value
        for argument, value in zip(operation._schema.arguments, args, strict=False)
        if argument.alias_info is not None and argument.alias_info.is_write
    ]
    guests = [tensor for tensor in tensors if not isinstance(tensor, PretendTensor)]
    if not guests:
        return
    is_number = all(tensor.dim() == 0 and tensor.device.type == "cpu" for tensor in guests)
    if takes_a_number and is_number and not any(value is guests[0] for value in written):
        return
    devices = ", ".join(dict.fromkeys(str(tensor.device) for tensor in tensors))
    if name in _INDEXING and args[0] in guests:
        message = "indices should be either on cpu or on the same device as the indexed tensor"
        _refuse(RuntimeError, f"{message} ({args[0].device})")
    _refuse(
        RuntimeError,
        "Expected all tensors to be on the same device, but found at least two devices, "
        f"{devices}! (when checking arguments of {name})",
    )


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _changed(value: Any, change: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, dict):
        return {name: _changed(item, change) for name, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_changed(item, change) for item in value)
    return value


def _unwrapped(value: Any) -> Any:
    return _changed(value, lambda tensor: getattr(tensor, "hidden", tensor))


# --- random numbers ----------------------------------------------------------------------------

_random = torch.Generator()  # only its state is used


@contextlib.contextmanager
def _own_random_state() -> Iterator[None]:
    """Draw from the device's random state, and leave the CPU's as it was."""
    on_cpu = torch.default_generator.get_state()
    torch.default_generator.set_state(_random.get_state())
    try:
        yield
    finally:
        _random.set_state(torch.default_generator.get_state())
        torch.default_generator.set_state(on_cpu)


# --- registration ------------------------------------------------------------------------------


def _register() -> None:
    class Module(_DummyBackendModule):
        """What torch.manual_seed and torch.random.fork_rng ask of a device."""

        def manual_seed_all(self, seed: int) -> None:
            _random.manual_seed(seed)

        def get_rng_state(self, device=None) -> torch.Tensor:
            return _random.get_state()

        def set_rng_state(self, state: torch.Tensor, device=None) -> None:
            _random.set_state(state)

    _setup_privateuseone_for_python_backend(NAME, backend_module=Module())
    # module.to(device) keeps the parameters themselves, and so the tied ones tied, as on CUDA.
    torch.__future__.set_swap_module_params_on_conversion(True)


def _register_operations() -> list[torch.library.Library]:
    """Make tensors on the device, and copy to it where torch is below ``__torch_dispatch__``."""
    library = torch.library.Library("aten", "IMPL")
    for name in torch._C._dispatch_get_all_op_names():
        namespace, _, rest = name.partition("::")
        if namespace != "aten":
            continue
        packet, _, overload = rest.partition(".")
        operation = getattr(getattr(torch.ops.aten, packet), overload or "default")
        makes = any(argument.name == "device" for argument in operation._schema.arguments)
        implicit = torch._C._dispatch_has_kernel_for_dispatch_key(name, "CompositeImplicitAutograd")
        if makes and not implicit or rest == "copy_":
            library.impl(
                rest,
                lambda *args, operation=operation, **kwargs: _compute(operation, args, kwargs),
                "PrivateUse1",
            )
    return [library]


if not MISSING:
    _register()
    _libraries = _register_operations()
