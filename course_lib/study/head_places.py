"""Where the heads are in a model: which columns of which matrix belong to one of them.

The heads of a layer lie side by side in the input of one linear map, the output map. Head i owns
the columns i * head_dim to (i + 1) * head_dim - 1 of its weight, in GPT-2's Conv1D the rows. A
slice of the map's *output* is no head: each of its numbers is a sum over all heads. What one head
adds to the residual stream is its columns times its numbers (Elhage et al. 2021).

This holds for our own attention and for that of transformers' models.
"""

import re
from dataclasses import dataclass, replace
from typing import cast

from torch import nn

QUERY_MAPS = (
    *("q_proj", "query", "query_proj", "q", "q_lin", "q_b_proj", "query_up"),
    *("c_attn", "query_key_value", "qkv", "qkv_proj", "Wqkv"),
)
OUTPUT_MAPS = ("out_proj", "o_proj", "c_proj", "dense", "o", "out_lin", "proj")
NUM_HEADS = ("num_heads", "num_attention_heads", "n_heads", "n_head")
HEAD_DIM = ("v_head_dim", "head_dim", "attention_head_size", "head_size", "key_value_proj_dim")
NUM_KV_HEADS = ("num_kv_heads", "num_key_value_heads")


@dataclass(frozen=True)
class AttentionHeads:
    """The heads of one attention layer. As text, it says where they are.

    Attributes:
        module: the attention.
        output_map: the linear map behind its heads.
        num_heads, head_dim: heads (of queries), and the numbers that each hands to the output map.
        num_kv_heads: heads of keys and values; fewer where several query heads share one.
        name, number: of the output map in the model, and of the layer, from 0.
        kind: "self", "encoder", "decoder" or "cross"; where a model has two of one kind, the name
            with a * for each number, such as "vision_model.encoder.layers.*.self_attn".
    """

    module: nn.Module
    output_map: nn.Linear  # or transformers' Conv1D
    num_heads: int
    head_dim: int
    num_kv_heads: int
    name: str = ""
    number: int = 0
    kind: str = "self"

    def columns(self, head: int) -> slice:
        """Return which inputs of the output map belong to a head; ValueError if there is none."""
        if not 0 <= head < self.num_heads:
            raise ValueError(f"heads must be between 0 and {self.num_heads - 1}, got {head}")
        return slice(head * self.head_dim, (head + 1) * self.head_dim)

    def __str__(self) -> str:
        is_transposed = type(self.output_map).__name__ == "Conv1D"  # its weight is (in, out)
        lines = "rows" if is_transposed else "columns"
        heads = f"{self.num_heads} heads" if self.num_heads > 1 else "1 head"
        shared = ""
        if self.num_kv_heads < self.num_heads:
            shared = f"; {self.num_heads // self.num_kv_heads} neighbours share keys and values"
        return (
            f"{self.kind} layer {self.number}: {heads} of {self.head_dim} numbers; head i is "
            f"{lines} {self.head_dim} i to {self.head_dim} i + {self.head_dim - 1} of "
            f"{self.name}.weight{shared}"
        )


def heads_of(module: nn.Module) -> AttentionHeads:
    """Return where the heads of one attention layer are.

    It holds the map that makes the queries and, behind its heads, the output map; or both in its
    parts ``self`` and ``output``, as BERT's attention does.

    Raises:
        TypeError: it is no such layer, or has no place between the heads and the output map.
    """
    if isinstance(module, nn.MultiheadAttention):
        raise TypeError(
            "torch's MultiheadAttention applies its output map inside one function, so nothing can "
            "be put between heads and map; attention_from_torch makes a MultiHeadAttention of it"
        )
    parts = dict(module.named_children()) if isinstance(module, nn.Module) else {}
    makes, name = module, next((name for name in OUTPUT_MAPS if name in parts), "")
    if not (name and _has_queries(module)):
        makes = next((part for part in parts.values() if _has_queries(part)), module)
        name = "output.dense"
        is_split = makes is not module and not any(hasattr(makes, part) for part in OUTPUT_MAPS)
        if not (is_split and hasattr(parts.get("output"), "dense")):
            raise TypeError(
                f"{type(module).__name__} is no attention with a map behind its heads that is known"
            )
    output_map = cast(nn.Linear, module.get_submodule(name))
    width = getattr(output_map, "nx", None) or output_map.in_features
    num_heads, head_dim = _first(makes, NUM_HEADS), _first(makes, HEAD_DIM)
    num_heads = num_heads or width // (head_dim or width)
    head_dim = head_dim or width // num_heads
    if num_heads * head_dim != width:
        raise TypeError(
            f"{type(module).__name__} has {num_heads} heads of {head_dim} numbers, and its {name} "
            f"takes {width}: something else stands between heads and map"
        )
    groups = getattr(makes, "num_key_value_groups", None)
    num_kv_heads = num_heads // groups if groups else _first(makes, NUM_KV_HEADS) or num_heads
    return AttentionHeads(module, output_map, num_heads, head_dim, num_kv_heads, name)


def find_heads(model: nn.Module, kind: str | None = None) -> list[AttentionHeads]:
    """Return the attention layers of a model, ours or transformers', with their heads.

        print(*find_heads(model), sep="\\n")

    They come in the model's order, those of one ``kind`` alone if it is given. Layers without
    heads, such as those whose memory is a state, are left out; the others keep their numbers.

    Raises:
        TypeError: the model is no module.
        ValueError: it has no layer whose heads can be found, or none of this kind.
    """
    if not isinstance(model, nn.Module):
        raise TypeError(f"model must be a torch.nn.Module, got {type(model).__name__}")
    by_pattern: dict[str, dict[str, AttentionHeads]] = {}  # then by name
    refused: set[str] = set()
    for name, module in model.named_modules():
        try:
            heads = heads_of(module)
        except TypeError as error:
            if "attention" in type(module).__name__.lower():
                refused.add(str(error))
            continue
        by_pattern.setdefault(re.sub(r"\d+", "*", name), {})[name] = heads
    if not by_pattern:
        stacks = [list(part) for part in model.modules() if isinstance(part, nn.ModuleList)]
        parts = [part for stack in stacks[:1] for layer in stack for part in layer.children()]
        inside = dict.fromkeys(type(part).__name__ for part in parts)
        why = "; ".join(sorted(refused)) or f"its layers hold {', '.join(inside) or 'no parts'}"
        raise ValueError(f"model has no attention layer whose heads can be cut: {why}")
    words = [_kind(pattern) for pattern in by_pattern]
    kinds = {
        pattern: word if words.count(word) == 1 else pattern
        for pattern, word in zip(by_pattern, words, strict=True)
    }
    every: list[AttentionHeads] = []
    for pattern, layers in by_pattern.items():
        numbers = [int(*re.findall(r"\d+", name)[:1]) for name in layers]  # the first in each name
        if len(set(numbers)) < len(numbers):  # it is not the layer's own: its place is
            numbers = list(range(len(numbers)))
        for (name, heads), number in zip(layers.items(), numbers, strict=True):
            whole = f"{name}.{heads.name}".lstrip(".")
            every.append(replace(heads, name=whole, number=number, kind=kinds[pattern]))
    if kind is not None and kind not in kinds.values():
        raise ValueError(f"kind must be one of {list(kinds.values())}, got {kind!r}")
    return [layer for layer in every if kind in (None, layer.kind)]


def layers_of(model: nn.Module, kind: str | None = None) -> dict[int, AttentionHeads]:
    """Return the attention layers of one kind by their numbers; ``kind`` is needed if it has more.

    Raises:
        ValueError: as ``find_heads``, or the model has several kinds and ``kind`` is None.
    """
    layers = find_heads(model, kind)
    kinds = list(dict.fromkeys(layer.kind for layer in layers))
    if len(kinds) > 1:
        raise ValueError(f"kind must say which of the model's heads are meant, one of {kinds}")
    return {layer.number: layer for layer in layers}


def _has_queries(module: nn.Module) -> bool:
    parts = {name for name, part in module.named_children() if hasattr(part, "weight")}
    return not parts.isdisjoint(QUERY_MAPS)


def _first(module: nn.Module, names: tuple[str, ...]) -> int | None:
    """The first of these attributes that the module has, or its config."""
    holders = (module, getattr(module, "config", None))
    numbers = (getattr(holder, name, None) for holder in holders for name in names)
    return next((number for number in numbers if isinstance(number, int)), None)


def _kind(pattern: str) -> str:
    path, _, last = pattern.lower().rpartition(".")
    if "cross" in last or "encdec" in last or last == "encoder_attn":
        return "cross"
    return next((word for word in ("encoder", "decoder") if word in path.split(".")), "self")
