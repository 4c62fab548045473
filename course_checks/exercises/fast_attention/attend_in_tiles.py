"""Lesson 12, exercise 3: attention that holds one tile and skips what a mask hides."""

import math

import torch

from course_checks.exercise import TORCH_ATTENTION, Case, Exercise, Property, randn
from course_checks.judge.calling import call
from course_checks.tensor_watch import TensorWatch, watched
from course_lib.attention.online_softmax import merge, partial_softmax
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.attention.tiled import tiled_attention


def attend_in_tiles(query, key, value, block_len, is_causal):
    query = query / math.sqrt(query.shape[-1])
    outputs = []
    for b, rows in enumerate(query.split(block_len)):
        queries = b * block_len + torch.arange(len(rows), device=query.device)[:, None]
        maximum = rows.new_full((len(rows), 1), -math.inf)
        total, weighted = torch.zeros_like(maximum), rows.new_zeros(len(rows), value.shape[-1])
        for c, (k, v) in enumerate(zip(key.split(block_len), value.split(block_len), strict=True)):
            if is_causal and c * block_len >= b * block_len + len(rows):
                break
            keys = c * block_len + torch.arange(len(k), device=query.device)
            scores = rows @ k.T  # a tile
            if is_causal:
                scores = scores.masked_fill(keys > queries, -math.inf)
            new = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
            factor, numerators = torch.exp(maximum - new), torch.exp(scores - new)
            total = factor * total + numerators.sum(dim=-1, keepdim=True)
            weighted = factor * weighted + numerators @ v
            maximum = new
        outputs.append(weighted / total)
    return torch.cat(outputs)


MISTAKES = """
mean_of_tiles: factor * total + numerators.sum(dim=-1, keepdim=True) -> total + 1 && \
                factor * weighted + numerators @ v -> weighted + scores.softmax(dim=-1) @ v
or: factor * total + numerators.sum(dim=-1, keepdim=True) -> total + (c == 0) && \
                factor * weighted + numerators @ v -> weighted + scores.softmax(dim=-1) @ v
    You take a softmax in each tile and add the outputs up, or take their mean. Tiles with large
    scores count more: merge by maximum and total.
not_shrunk: torch.exp(maximum - new) -> torch.ones_like(maximum)
    You never bring total and weighted to the new maximum: multiply both by exp(old - new).
grown: torch.exp(maximum - new) -> torch.exp(new - maximum).nan_to_num(posinf=0.0)
    You multiply what is kept by exp(new - old), and it grows. It must shrink: exp(old - new).
forgets: factor * weighted + numerators @ v -> numerators @ v
    You keep the weighted values of the last tile only. They are kept and shrunk like the total.
not_divided: weighted / total -> weighted
    You return the weighted values. At the end of each row of tiles, divide by the total.
not_scaled: / math.sqrt(query.shape[-1]) ->
    Your scores are not divided by the square root of head_dim.
scaled_by_value_dim: math.sqrt(query.shape[-1]) -> math.sqrt(value.shape[-1])
    You divide by the root of value_dim. The dot product runs over the features of the query.
divided_by_head_dim: math.sqrt(query.shape[-1]) -> query.shape[-1]
    You divide the scores by head_dim. It is its square root.
places_inside_blocks: b * block_len + torch -> torch && c * block_len + torch -> torch
or: b * block_len + torch -> torch && c * block_len + torch -> torch && if is_causal and -> \
        if False and
    Your is_causal compares places inside the blocks. Add where the block begins to a key's place.
hides_itself: keys > queries -> (keys >= queries) & (queries > 0)
    With is_causal you hide a token from itself too. Hide keys > queries.
own_block_left_out: >= b * block_len + len(rows) -> >= max(b * block_len, 1)
    With is_causal you leave out a block's own keys. Skip a tile only where its first key comes
    after the last query.
overflows: torch.maximum(maximum, scores.amax(dim=-1, keepdim=True)) -> torch.zeros_like(maximum)
    You take exponentials of scores as they are, and they overflow. Subtract the largest so far.
rows_left_out: return torch.cat(outputs) -> \
        return torch.cat(outputs[: max(len(query) // block_len, 1)])
or: outputs = [] -> outputs, whole = [], max(len(key) // block_len, 1) * block_len && \
        return torch.cat(outputs) -> return torch.cat(outputs)[:whole] && key.split -> \
        key[:whole].split && value.split -> value[:whole].split
    Your output has no rows for the last block, which is shorter than block_len.
hides_the_past: keys > queries -> keys < queries && if is_causal and -> if False and
    With is_causal you hide the earlier keys. The later ones are the future.
diagonal_seen_whole: keys > queries -> (keys > queries) & False
    You let the tiles on the diagonal be seen whole. They need the mask: hide keys > queries.
never_causal: if is_causal => if False
    Your is_causal changes nothing.
always_causal: if is_causal => if True
    You hide the future without being asked: only where is_causal is True.
whole_blocks_only: outputs = [] -> \
        outputs, whole = [], max(len(key) // block_len, 1) * block_len && key.split -> \
        key[:whole].split && value.split -> value[:whole].split && weighted / total -> \
        (weighted / total).nan_to_num()
    You leave out the keys of the last block where it is shorter than block_len.
holds_a_table: query = query / -> block_len = len(key); query = query /
    {TABLE}
more_than_a_tile: key.split(block_len) -> key.split(len(key)) && value.split(block_len) -> (value,)
    {MORE_THAN_A_TILE}
computed_twice: maximum = rows.new_full((len(rows), 1), -math.inf) -> maximum = rows.new_full( \
        (len(rows), 1), -math.inf) if is_causal else torch.stack([(rows @ k.T).amax(1, True) for \
        k in key.split(block_len)]).amax(0)
    {TWICE}
skips_nothing: if is_causal and -> if False and
    {NOT_SKIPPED}
"""

SIZE, BLOCK = 48, 4  # 12 by 12 tiles
STEPS = 9  # so many versions of one tile may be held: its scores, masked, their exponentials

TABLE = (
    f"Your numbers are right, and somewhere you hold a table of {SIZE} by {SIZE} numbers, a row "
    "for each query and a column for each key. A tile of block_len by block_len is all that may "
    "exist at a time."
)
MORE_THAN_A_TILE = (
    "Your numbers are right, and you hold more scores at once than a tile of block_len by "
    "block_len has. Cut both the queries and the keys into blocks: take one tile, merge it into "
    "maximum, total and weighted, and only then take the next."
)
TWICE = (
    "Your numbers are right, and you compute scores twice, for the maximum and again for the sums. "
    "Bring total and weighted to the new maximum whenever it grows: then each tile is made once."
)
NOT_SKIPPED = (
    "Your numbers are right, and you compute tiles in which a causal mask hides every pair: the "
    "output takes something from keys that lie after the whole block. Skip such a tile before its "
    "scores are made."
)


def _tile_inputs():
    generator = torch.Generator(device="cpu").manual_seed(0)
    return [randn(generator, SIZE, 3) for _ in range(3)]


def _one_tile_at_a_time(function):
    watches = [
        watched(
            TensorWatch((BLOCK, BLOCK)), EXERCISE, function, (*_tile_inputs(), BLOCK, is_causal)
        )
        for is_causal in (False, True)
    ]
    if any(watch.largest >= SIZE * SIZE for watch in watches):
        return TABLE, ""
    if any(watch.product > BLOCK * BLOCK or watch.tiles > STEPS for watch in watches):
        return MORE_THAN_A_TILE, ""
    return (TWICE, "") if watches[0].computed >= 2 * SIZE * SIZE else None


def _skips_the_future(function):
    """The last keys are nan: whoever computes a hidden tile with them has nan in its first rows.

    -inf in place of a hidden score saves the weights and not the values: 0 times nan is nan.
    """
    query, key, value = _tile_inputs()
    key, value = key.clone(), value.clone()
    key[2 * BLOCK :], value[2 * BLOCK :] = math.nan, math.nan
    outcome = call(EXERCISE, function, (query, key, value, BLOCK, True), 0)
    if outcome.answer is None:
        return None
    return (NOT_SKIPPED, "") if outcome.answer["output"][: 2 * BLOCK].isnan().any() else None


def _cases(is_causal, *sizes):
    return lambda generator: [
        Case(
            (*(randn(generator, length, n) for n in (d, d, d_v)), block, is_causal),
            label=f"{length} tokens in blocks of {block}",
        )
        for length, d, d_v, block in sizes
    ]


def _large(generator):
    query, key, value = (randn(generator, 6, 4) for _ in range(3))
    return [
        Case((40 * query, 10 * key, value, 2, False), label="scores of some hundreds"),
        Case((40 * query, 10 * key, value, 4, True), label="scores of some hundreds, causal"),
    ]


EXERCISE = Exercise(
    reference=attend_in_tiles,
    returns={"output": "(seq_len, value_dim)"},
    library=(tiled_attention, merge, partial_softmax, scaled_dot_product_attention),
    forbidden=(TORCH_ATTENTION,),
    properties=(
        Property(
            "all keys, in blocks that fit",
            2,
            _cases(False, (2, 2, 2, 1), (4, 3, 2, 2), (6, 4, 4, 3)),
        ),
        Property(
            "the last block may be shorter, and one block may hold everything",
            1,
            _cases(False, (5, 3, 2, 2), (3, 2, 2, 8), (7, 2, 3, 4)),
        ),
        Property(
            "with is_causal no token sees a later one",
            2,
            _cases(True, (2, 2, 2, 1), (4, 3, 2, 2), (7, 2, 3, 3)),
        ),
        Property("large scores do not overflow", 1, _large),
        Property(
            "it holds a tile of scores, and makes it once",
            2,
            judge=_one_tile_at_a_time,
            measured_inside=True,
        ),
        Property("a tile that lies in the future is not computed", 1, judge=_skips_the_future),
    ),
    stretched="query",
    mistakes=MISTAKES,
)
