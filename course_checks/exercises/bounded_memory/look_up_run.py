"""A look-up that is run through layers of three kinds, with weights made by hand.

A text begins with ``pairs`` pairs of a key and a value, one at each position. Fillers follow, and
at its end, ``distance`` positions behind the first pair, a question names one key. Each position
can hold one pair. A filler that holds none takes over what it sees of the pairs, which is right as
long as it sees one pair only. A state is written by the pairs of the text alone. The question looks
for its key: its answer is what it finds.
"""

from functools import cache

import torch
import torch.nn.functional as F
from torch import Tensor

from course_lib.attention.delta_rule import delta_rule_chunks
from course_lib.attention.masks import window_mask
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention

KINDS = ("window", "state", "global")
SHARP = 1000.0  # of the scores: what matches gets all the weight


@cache  # the same layers meet the same task many times in one check
def answers(
    layers: tuple[str, ...], window: int, key_dim: int, distance: int, pairs: int
) -> Tensor:
    """Whether each question finds its value in some layer, (pairs,) of bool.

    ``layers`` are names of ``KINDS``. All questions are asked, each in a text of its own. A value
    counts as found where it comes out to two decimals.
    """
    length = distance + 1
    generator = torch.Generator().manual_seed(0)
    values = torch.randn(pairs, 8, generator=generator, dtype=torch.float64)
    names = torch.eye(pairs, dtype=torch.float64)  # what the attention compares
    # What a state keeps of a key are key_dim numbers: as long as there is room, one for each key.
    crowded = torch.randn(pairs, key_dim, generator=generator, dtype=torch.float64)
    short = torch.eye(pairs, key_dim, dtype=torch.float64) if pairs <= key_dim else crowded
    short = F.normalize(short, dim=-1)

    # Rows of a batch are questions. Of each position: the name and value that it holds, if any.
    held_name = torch.zeros(pairs, length, pairs, dtype=torch.float64)
    held_value = torch.zeros(pairs, length, 8, dtype=torch.float64)
    held_name[:, :pairs], held_value[:, :pairs] = names, values
    answered = torch.zeros(pairs, dtype=torch.bool)
    for kind in layers:
        if kind == "state":
            _, memory = delta_rule_chunks(short, short, values, torch.ones_like(values[:, 0]))
            fetched = short @ memory  # the same for all texts: fillers and questions write nothing
        else:
            seen = window_mask(length, window=window if kind == "window" else length)
            holds = held_name.sum(dim=-1, keepdim=True)  # 1 where there is a pair
            query = torch.cat((torch.zeros_like(held_name), torch.ones_like(holds)), dim=-1)
            query[:, -1] = F.pad(names, (0, 1))  # a filler asks for any pair, the question for one
            key = torch.cat((held_name, holds), dim=-1)
            content = torch.cat((held_name, held_value), dim=-1)
            mixed, _ = scaled_dot_product_attention(query, key, content, mask=seen, scale=SHARP)
            fetched = mixed[:, -1, pairs:]
            empty = holds < 0.5
            empty[:, -1] = False  # the question holds no pair itself
            held_name = torch.where(empty, mixed[..., :pairs], held_name)
            held_value = torch.where(empty, mixed[..., pairs:], held_value)
        answered |= ((fetched - values).abs() < 0.01).all(dim=-1)
        if answered.all():
            break
    return answered


def rows(kind: str, window: int, key_dim: int, distance: int) -> int:
    """How many rows a layer of this kind keeps at the end of the text."""
    length = distance + 1
    return {"window": min(window, length), "state": key_dim, "global": length}[kind]
