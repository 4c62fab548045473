"""What a check sees of a student's class: its parameters, what it computes, and its gradients.

A check builds the module, and ``seen_in`` looks whether its parameters have the names and shapes
that were asked for. It puts numbers of the check's own into them, so that all right classes give
the same answers.
"""

from collections.abc import Callable
from dis import get_instructions
from types import CodeType, FunctionType

import torch
from torch import Tensor, nn

from course_checks.exercise import Case, randn
from course_checks.judge.answers import kind_of
from course_checks.judge.calling import is_library

Shapes = dict[str, tuple[int, ...]]  # of the parameters, by name


def numbers_for(generator, shapes: Shapes, dtype=torch.float32) -> tuple[Tensor, ...]:
    """Random numbers for each parameter, such that what a matrix makes has a variance near 1."""
    return tuple(
        randn(generator, *shape, dtype=dtype) / shape[-1] ** 0.5 for shape in shapes.values()
    )


def cases_of_heads(
    shapes_of: Callable[[int, int], Shapes], *sizes, dtype=torch.float32, with_gradients=False
):
    """Cases from batch, seq_len, d_model and the number of heads: (d_model, num_heads) make the
    module, whose parameters have the shapes ``shapes_of(d_model, num_heads)``."""

    def cases(generator):
        cases_drawn = []
        for batch, length, d_model, num_heads in sizes:
            numbers = numbers_for(generator, shapes_of(d_model, num_heads), dtype)
            x = randn(generator, batch, length, d_model, dtype=dtype)
            label = f"d_model {d_model}, {num_heads} head{'s' * (num_heads > 1)} and x of shape "
            label += f"{tuple(x.shape)}{'' if dtype == torch.float32 else f' and dtype {dtype}'}"
            cases_drawn.append(Case((d_model, num_heads, numbers, x, with_gradients), label=label))
        return cases_drawn

    return cases


def seen_in(
    module,
    shapes: Shapes,
    numbers: tuple[Tensor, ...],
    x: Tensor,
    with_gradients: bool,
    *,
    is_eval: bool = False,
    **options,
) -> dict | str:
    """Output and weights with these numbers in the parameters, and the gradients where they are
    asked for; or the sentence that says what is wrong with the form of the module or its answer."""
    if sentence := misfit(module, shapes) or _borrowed(type(module)):
        return sentence
    fill(module, shapes, numbers)
    if is_eval:
        module.eval()
    given = x.clone()
    answer = module(x, **options)
    if sentence := two_tensors(answer):
        return sentence
    output, weights = (part.detach().clone() for part in answer)
    seen = {"output": output, "weights": weights}
    if with_gradients:
        seen["gradients"] = gradients(module, shapes, given, **options)
    return seen


def tied(base, layer, shared):
    """A version of the class ``base`` in which ``layer`` is the layer ``shared``."""

    class Version(base):
        def __init__(self, *args):
            super().__init__(*args)
            setattr(self, layer, getattr(self, shared))

    return Version


def misfit(module, shapes: Shapes) -> str:
    """What is wrong with the form of what the class has made; "" where nothing is."""
    if not isinstance(module, nn.Module):
        return f"Your class should make an nn.Module. It made {kind_of(module)}."
    has = dict(module.named_parameters(remove_duplicate=False))
    lacking = [name for name in shapes if name not in has]
    besides = [name for name in has if name not in shapes]
    if lacking or besides:
        text = f"Your module should have {len(shapes)} parameters: {_few(list(shapes))}."
        text += f" It lacks {_few(lacking)}." if lacking else ""
        return text + (f" It has {_few(besides)} besides." if besides else "")
    for name, shape in shapes.items():
        if tuple(has[name].shape) != shape:
            return f"{name} should have shape {shape} here. Yours has {tuple(has[name].shape)}."
        if not has[name].requires_grad:
            return f"{name} has requires_grad=False: it would never be trained."
    return ""


def _borrowed(own: type) -> str:
    """What to say of a class whose methods call a function from another cell of the notebook."""
    waiting = [
        (f.__code__, f.__globals__) for f in vars(own).values() if isinstance(f, FunctionType)
    ]
    while waiting:
        code, names = waiting.pop()
        waiting += [(part, names) for part in code.co_consts if isinstance(part, CodeType)]
        of_notebook = (at.argval for at in get_instructions(code) if at.opname == "LOAD_GLOBAL")
        for name in of_notebook:
            other = names.get(name)
            file = (
                other.__code__.co_filename if isinstance(other, FunctionType) else code.co_filename
            )
            if file != code.co_filename and not is_library(file):
                return (
                    f"Your class calls {name}, which stands in another cell of this notebook. "
                    f"Where you paste the class it is missing: write into it what {name} does."
                )
    return ""


def _few(names: list[str]) -> str:
    if len(names) > 4:
        return f"{', '.join(names[:3])} and {len(names) - 3} more"
    return ", ".join(names)


def fill(module: nn.Module, shapes: Shapes, numbers: tuple[Tensor, ...]) -> None:
    """Put these numbers into the parameters; the module takes their dtype."""
    module.to(numbers[0].dtype)
    own = dict(module.named_parameters(remove_duplicate=False))
    with torch.no_grad():
        for name, value in zip(shapes, numbers, strict=True):
            own[name].copy_(value)


def two_tensors(answer) -> str:
    """What is wrong with the form of what forward has returned; "" where nothing is."""
    got = kind_of(answer)
    if isinstance(answer, (tuple, list)) and len(answer) == 2:
        others = [kind_of(part) for part in answer if not isinstance(part, Tensor)]
        if not others:
            return ""
        got = f"{others[0]} as one of the two"
    return f"forward should return two tensors, (output, weights). It returned {got}."


def gradients(module: nn.Module, shapes: Shapes, x: Tensor, **options) -> Tensor:
    """The gradients of a weighted sum of the output, by x and by each parameter, in one row.

    Where none arrives, zeros.
    """
    leaf = x.detach().clone().requires_grad_()
    output = module(leaf.clone(), **options)[0]
    own = dict(module.named_parameters(remove_duplicate=False))
    parts = [leaf, *(own[name] for name in shapes)]
    slopes: list = [None] * len(parts)
    if output.requires_grad:
        weight = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).view_as(output)
        slopes = list(torch.autograd.grad((output * weight).sum(), parts, allow_unused=True))
    pairs = zip(parts, slopes, strict=True)
    return torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for p, g in pairs])
