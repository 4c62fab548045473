"""The forms in which layers take a mask and give their output."""

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import torch

BOOLEAN, INTEGERS, NUMBERS, ADDED = "boolean", "integers", "numbers", "added"
KINDS = (BOOLEAN, INTEGERS, NUMBERS, ADDED)

# How (query_len, key_len) is laid out for the layer.
PAIR_SHAPES = {
    "(query_len, key_len)": "",
    "(1, query_len, key_len)": "[None]",
    "(1, 1, query_len, key_len)": "[None, None]",
    "(batch, query_len, key_len)": ".expand(len(x), -1, -1)",
    "(batch, 1, query_len, key_len)": ".expand(len(x), 1, -1, -1)",
}
# How (batch, key_len) is.
KEY_SHAPES = {
    "(batch, key_len)": "",
    "(batch, 1, key_len)": "[:, None]",
    "(batch, 1, 1, key_len)": "[:, None, None]",
}


@dataclass(frozen=True)
class MaskForm:
    """What a layer wants to be handed as a mask.

    ``kind`` is boolean, integers or numbers (1 for True and 0 for False), or added (0 where
    attention is allowed, -inf where it is blocked).
    """

    shape: str = "(query_len, key_len)"
    kind: str = BOOLEAN

    @property
    def is_per_key(self) -> bool:
        """Whether it marks keys, the same for all queries."""
        return self.shape in KEY_SHAPES

    def give(self, allowed: torch.Tensor, x: torch.Tensor, blocked: bool) -> torch.Tensor:
        """Return the layer's mask; ``allowed`` is (query_len, key_len) or (batch, key_len).

        ``blocked`` is whether True means blocked to the layer; x gives batch and dtype.
        """
        if self.kind == ADDED:
            table = torch.zeros_like(allowed, dtype=x.dtype).masked_fill(~allowed, -torch.inf)
        else:
            table = ~allowed if blocked else allowed
            table = table.to({BOOLEAN: torch.bool, INTEGERS: torch.int64}.get(self.kind, x.dtype))
        if self.shape.startswith("(1"):
            return table[None, None] if self.shape.count("1") == 2 else table[None]
        if self.shape in KEY_SHAPES:
            return table[(slice(None), *(None,) * self.shape.count("1"))]
        if self.shape.startswith("(batch"):
            return table.expand(len(x), *(1,) * self.shape.count("1"), -1, -1)
        return table


def wrapper(argument: str, form: MaskForm, num_inputs: int, order: str) -> str:
    """Return one line of Python: the layer with a boolean mask, True = may attend, in its place."""
    words = {"q": "query", "k": "key", "v": "value"}
    three = ", ".join(words[letter] for letter in order)
    inputs = {1: "x", 2: "x, memory", 3: three}[num_inputs]
    first = "query" if num_inputs == 3 else "x"
    layout = (PAIR_SHAPES | KEY_SHAPES)[form.shape].replace("len(x)", f"len({first})")
    added = f'torch.where(mask, 0.0, float("-inf")).to({first}){layout}'
    return (
        f"lambda {inputs}, mask=None: layer({inputs}, {argument}=None if mask is None else {added})"
    )


class WrongOutput(ValueError):
    """The layer ran, and what it returned is no output."""


@dataclass
class ResultReader:
    """Finds the output and the weights in what a layer returns.

    The first result says which part is the output; later ones of as many parts, with other
    lengths, are read in the same way.
    """

    places: dict[int, int] = dataclasses.field(default_factory=dict)

    def read(
        self, result, lead: tuple[int, ...], width: int, lengths: tuple[int, int]
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """Return output (*lead, features) and weights (..., query_len, key_len) or None.

        ``lead`` is the input's shape without its features, of which it has ``width``.
        """
        tensors = [part for part in _parts(result) if isinstance(part, torch.Tensor)]
        place = self.places.get(len(tensors), _place_of_output(tensors, lead, width))
        output = None if place is None else tensors[place]
        if output is None or place is None or tuple(output.shape[: len(lead)]) != lead:
            came = [tuple(tensor.shape) for tensor in tensors] or type(result).__name__
            raise WrongOutput(
                f"layer must return an output of the shape of its input {(*lead, width)}, or with "
                f"another number of features, alone or in a tuple or an object, got {came}"
            )
        self.places[len(tensors)] = place
        square = (t for t in tensors if t is not output and t.dim() >= 2)
        tables = [t for t in square if tuple(t.shape[-2:]) == lengths]
        ones = (t for t in tables if bool(((t.double().sum(dim=-1) - 1).abs() < 0.01).all()))
        weights = next(ones, tables[0] if tables else None)  # and no bias, no scores beside them
        return output.flatten(len(lead)), weights  # heads beside each other, if they are apart


def _parts(result) -> Iterable:
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, tuple | list):
        return result
    if isinstance(result, Mapping):
        return result.values()
    if dataclasses.is_dataclass(result):
        return [getattr(result, field.name) for field in dataclasses.fields(result)]
    return getattr(result, "__dict__", {}).values()


def _place_of_output(tensors: list[torch.Tensor], lead: tuple[int, ...], width: int) -> int | None:
    """The output has the input's shape; else its batch and length, with features of its own."""
    wanted = (
        lambda shape: shape == (*lead, width),
        lambda shape: shape[:-1] == lead and shape[-1] != lead[-1],
        lambda shape: shape[:-1] == lead,
        lambda shape: shape[:-2] == lead,
    )
    for fits in wanted:
        for place, tensor in enumerate(tensors):
            if tensor.is_floating_point() and fits(tuple(tensor.shape)):
                return place
    return None
