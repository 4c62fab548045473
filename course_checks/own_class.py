"""What a check sees of a student's class: its parameters, what it computes, and its gradients.

``observe_class`` builds the module where it will be pasted, looks whether its parameters have the
names and shapes that were asked for, and puts numbers of the check's own into them, so that all
right classes give the same answers. Then it uses the module as later lessons do: for one text after
another, in training and in eval mode.
"""

import ast
import linecache
import math
import os
from collections.abc import Callable
from functools import lru_cache
from types import FunctionType, ModuleType

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_checks.exercise import Case, randn
from course_checks.judge.answers import kind_of, same
from course_checks.judge.calling import is_library

Shapes = dict[str, tuple[int, ...]]  # of the parameters, by name


HUGE = 1e25  # times the usual scores: each row has one weight of 1, and no finite number blocks


def numbers_for(
    generator, shapes: Shapes, dtype=torch.float32, stretch: float = 1.0
) -> tuple[Tensor, ...]:
    """Random numbers for each parameter, such that what a matrix makes has a variance near 1.

    Those of the queries, and with them the scores, are ``stretch`` times as large.
    """
    return tuple(
        randn(generator, *shape, dtype=dtype) / shape[-1] ** 0.5 * (stretch if "q_" in name else 1)
        for name, shape in shapes.items()
    )


def cases_of_heads(
    shapes_of: Callable[[int, int], Shapes],
    *sizes,
    dtype=torch.float32,
    with_gradients=False,
    stretch=1.0,
):
    """Cases from batch, seq_len, d_model and the number of heads: (d_model, num_heads) make the
    module, whose parameters have the shapes ``shapes_of(d_model, num_heads)``."""

    def cases(generator):
        for batch, length, d_model, num_heads in sizes:
            numbers = numbers_for(generator, shapes_of(d_model, num_heads), dtype, stretch)
            x = randn(generator, batch, length, d_model, dtype=dtype)
            label = f"d_model {d_model}, {num_heads} head{'s' * (num_heads > 1)} and x of shape "
            label += f"{tuple(x.shape)}{'' if dtype == torch.float32 else f' and dtype {dtype}'}"
            label += stretched(stretch)
            yield Case((d_model, num_heads, numbers, x, with_gradients), label=label)

    return cases


def stretched(stretch: float) -> str:
    return "" if stretch == 1 else f", with scores {stretch:g} times as large"


def observe_class(
    build: type,
    sizes: tuple,
    shapes: Shapes,
    numbers: tuple[Tensor, ...],
    x: Tensor,
    with_gradients: bool = False,
    *,
    beside: tuple[str, ...] = (),
    look: Callable[[nn.Module], dict] = lambda module: {},
    positional: tuple = (),
    **options,
) -> dict | str:
    """Output and weights with these numbers in the parameters, the outputs in training mode, and
    the gradients where they are asked for; or the sentence that says what is wrong with the form of
    the module or its answer.

    ``sizes`` make the module, whose code may use the names ``beside`` of other cells, and
    ``look(module)`` adds what it sees before the numbers are put in. It is called with x and what
    is ``positional`` or an option.
    """
    try:
        module = pasted(build, beside)(*sizes)
        if sentence := misfit(module, shapes):
            return sentence
        looked_at = look(module)
        fill(module, shapes, numbers)
        module.eval()
        # A shorter text before it: a table that is made for that one is too small then.
        others = {name: value for name, value in options.items() if name != "mask"}
        module(x[..., : max(x.shape[-2] - 1, 1), :].clone(), *positional, **others)
        given = x.clone()
        answer = module(x, *positional, **options)
        if sentence := two_tensors(answer):
            return sentence
        output, weights = (part.detach().clone() for part in answer)
        module.train()
        trained = [module(given.clone(), *positional, **options) for _ in range(3)]
        trained = [again.detach() for again, _ in trained]
        module.eval()
    except NameError as error:
        if error.name not in _globals_of(build):
            raise
        return (
            f"Your class uses {error.name}, which stands elsewhere in this notebook. Where you "
            f"paste the class it is missing: write into it what {error.name} does."
        )
    seen = {"output": output, "weights": weights, "in_training": trained} | looked_at
    if with_gradients:
        seen["gradients"] = gradients(module, shapes, given, *positional, **options)
    return seen


def concluded(seen: dict, *args) -> dict:
    """What was seen, with what is wrong with its use later in place of the outputs in training."""
    seen = dict(seen)
    is_alike = all(same(seen["output"], again) for again in seen.pop("in_training"))
    use = "" if is_alike else "in training mode it computes something else than in eval mode."
    return {"output": seen.pop("output"), "weights": seen.pop("weights"), "use": use} | seen


@lru_cache(maxsize=8)
def pasted(build: type, beside: tuple[str, ...] = ()) -> type:
    """The class in a notebook that has torch and math, and what its cell brings along.

    In a file, which has no cells, that is not what belongs to another exercise or to course_lib.
    A class whose source is not known, or which the course wrote, stays as it is.
    """
    around = _globals_of(build)
    file = next((f.__code__.co_filename for f in _methods(build)), "")
    lines = [] if not file or is_library(file) else linecache.getlines(file)
    try:
        cell = ast.parse("".join(lines)).body
    except SyntaxError:
        return build
    if os.path.isfile(file):
        cell = [node for node in cell if not _is_of_the_course(node, build.__name__)]
    brought: list[ast.stmt] = []
    needed, names = set[str](), {build.__name__}
    while names - needed:  # what is needed may need more
        needed |= names
        brought = [node for node in cell if _bound_by(node) & needed]
        inner = (part for node in brought for part in ast.walk(node))
        names = {part.id for part in inner if isinstance(part, ast.Name)}
    if not any(isinstance(node, ast.ClassDef) and node.name == build.__name__ for node in brought):
        return build
    space = {name: value for name, value in around.items() if name in beside or _is_torchs(value)}
    space |= {"torch": torch, "nn": nn, "math": math, "__name__": build.__module__}
    exec(compile(ast.Module(brought, []), file, "exec"), space)
    return space[build.__name__]


def _methods(build: type) -> list[FunctionType]:
    return [part for part in vars(build).values() if isinstance(part, FunctionType)]


def _globals_of(build: type) -> dict:
    return next((method.__globals__ for method in _methods(build)), {})


def _bound_by(node: ast.stmt) -> set[str]:
    """The names that a statement of a cell gives to something."""
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return {alias.asname or alias.name.partition(".")[0] for alias in names}
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {
                part.id
                for target in targets
                for part in ast.walk(target)
                if isinstance(part, ast.Name)
            }
    return set()


def _is_of_the_course(node: ast.stmt, own: str) -> bool:
    from course_checks import ALL  # which imports this module

    if isinstance(node, ast.ImportFrom):
        return (node.module or "").startswith("course_lib")
    return bool(_bound_by(node) & (ALL.keys() - {own}))


def _is_torchs(value: object) -> bool:
    """Whether it is torch, math, a part of them, or something that they define."""
    if isinstance(value, ModuleType):
        return value.__name__.partition(".")[0] in ("torch", "math")
    kinds = (int, str, type(None))
    return not isinstance(value, kinds) and any(
        value is known for module in (torch, nn, F, math) for known in vars(module).values()
    )


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
    if more := [name for name in module.state_dict() if name not in shapes]:
        return (
            f"The state_dict of your module holds {_few(more)} besides its parameters, so that no "
            "other class's numbers can be loaded into it. Make such a tensor in forward."
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


def gradients(module: nn.Module, shapes: Shapes, x: Tensor, *positional, **options) -> Tensor:
    """The gradients of a weighted sum of the output, by x and by each parameter, in one row.

    Where none arrives, zeros.
    """
    leaf = x.detach().clone().requires_grad_()
    output = module(leaf.clone(), *positional, **options)[0]
    own = dict(module.named_parameters(remove_duplicate=False))
    parts = [leaf, *(own[name] for name in shapes)]
    slopes: list = [None] * len(parts)
    if output.requires_grad:
        weight = torch.linspace(-1, 2, output.numel(), dtype=output.dtype).view_as(output)
        slopes = list(torch.autograd.grad((output * weight).sum(), parts, allow_unused=True))
    pairs = zip(parts, slopes, strict=True)
    return torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for p, g in pairs])
