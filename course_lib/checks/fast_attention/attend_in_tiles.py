"""Lesson 12, exercise 3: attention that holds one tile and skips what a mask hides."""

import math
import weakref

import torch
from torch.overrides import TorchFunctionMode

from course_lib.attention.online_softmax import merge, partial_softmax
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.attention.tiled import tiled_attention
from course_lib.checks.exercise import TORCH_ATTENTION, Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.calling import call


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
mean_of_tiles: _mean_of_tiles
    You take a softmax in each tile and the mean of the outputs. A tile with small scores then
    counts as much as one with large scores: merge by maximum and total.
sum_of_tiles: _sum_of_tiles
    You take a softmax in each tile and add the outputs up. Each tile's weights sum to 1, so yours
    sum to the number of tiles: merge by maximum and total.
not_shrunk: torch.exp(maximum - new) -> torch.ones_like(maximum)
    You never bring total and weighted to the new maximum: when it grows, multiply both by exp(old -
    new).
grown: torch.exp(maximum - new) -> torch.exp(new - maximum).nan_to_num(posinf=0.0)
    You multiply what is kept by exp(new - old), and it grows. It must shrink: exp(old - new).
forgets: factor * weighted + numerators @ v -> numerators @ v
    You keep the total over all tiles, and of the weighted values only the last tile's. Both are
    kept and shrunk in the same way.
not_divided: weighted / total -> weighted
    You return the weighted values. At the end of each row of tiles they must be divided by the
    total.
not_scaled: / math.sqrt(query.shape[-1]) ->
    Your scores are not divided by the square root of head_dim.
divided_by_head_dim: math.sqrt(query.shape[-1]) -> query.shape[-1]
    You divide the scores by head_dim. It is its square root.
places_inside_blocks: b * block_len + torch -> torch && c * block_len + torch -> torch
or: b * block_len + torch -> torch && c * block_len + torch -> torch && if is_causal and -> \
        if False and
    Your is_causal compares places inside the blocks. A key's position is its place in the block
    plus where the block begins.
hides_itself: keys > queries -> (keys >= queries) & (queries > 0)
    With is_causal you hide a token from itself too. It may see its own position: hide keys >
    queries.
own_block_left_out: >= b * block_len + len(rows) -> >= max(b * block_len, 1)
    With is_causal you leave out a block's own keys too, on the diagonal. There each query sees
    itself and what lies before it: skip a tile only where its first key comes after the last query.
overflows: torch.maximum(maximum, scores.amax(dim=-1, keepdim=True)) -> torch.zeros_like(maximum)
    You take exponentials of scores as they are, and where scores are large, these overflow.
    Subtract the largest score so far first.
rows_left_out: return torch.cat(outputs) -> \
        return torch.cat(outputs[: max(len(query) // block_len, 1)])
or: outputs = [] -> outputs, whole = [], max(len(key) // block_len, 1) * block_len && \
        return torch.cat(outputs) -> return torch.cat(outputs)[:whole] && key.split -> \
        key[:whole].split && value.split -> value[:whole].split
    Your output has no rows for the last block, which is shorter than block_len. It counts as well.
hides_the_past: keys > queries -> keys < queries && if is_causal and -> if False and
    With is_causal you hide the earlier keys. The later ones are the future.
diagonal_seen_whole: keys > queries -> (keys > queries) & False
    You let the tiles on the diagonal be seen whole. They hold pairs that may attend and pairs that
    may not, so they need the mask.
never_causal: if is_causal => if False
    Your is_causal changes nothing.
always_causal: if is_causal => if True
    You hide the future without being asked: only where is_causal is True.
whole_blocks_only: outputs = [] -> \
        outputs, whole = [], max(len(key) // block_len, 1) * block_len && key.split -> \
        key[:whole].split && value.split -> value[:whole].split && weighted / total -> \
        (weighted / total).nan_to_num()
    You leave out the keys of the last block where it is shorter than block_len.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _softmax_in_each(combine):
    """A softmax in each tile; what comes out is put together by ``combine``."""

    def version(query, key, value, block_len, is_causal):
        outputs = []
        for rows in range(0, len(query), block_len):
            found = []
            for first in range(0, len(key), block_len):
                scores = query[rows : rows + block_len] @ key[first : first + block_len].T
                scores = scores / math.sqrt(query.shape[-1])
                if is_causal:
                    hidden = torch.ones_like(scores).triu(1 + rows - first) > 0
                    if hidden.all(dim=-1).any():
                        continue
                    scores = scores.masked_fill(hidden, -math.inf)
                found.append(torch.softmax(scores, dim=-1) @ value[first : first + block_len])
            outputs.append(combine(torch.stack(found)))
        return torch.cat(outputs)

    return version


_mean_of_tiles = _softmax_in_each(lambda found: found.mean(dim=0))
_sum_of_tiles = _softmax_in_each(lambda found: found.sum(dim=0))


def _whole_table(query, key, value, block_len, is_causal):
    scores = query @ key.T / math.sqrt(query.shape[-1])
    if is_causal:
        scores = scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -math.inf)
    return torch.softmax(scores, dim=-1) @ value


def _softmax_of_rows(query, key, value, block_len, is_causal):
    """Blocks of queries against all keys that they may see: one softmax, and no merge."""
    outputs = []
    for first in range(0, len(query), block_len):
        rows = query[first : first + block_len]
        seen = first + len(rows) if is_causal else len(key)
        scores = rows @ key[:seen].T / math.sqrt(query.shape[-1])
        if is_causal:
            scores = scores.masked_fill(torch.ones_like(scores).triu(1 + first) > 0, -math.inf)
        outputs.append(torch.softmax(scores, dim=-1) @ value[:seen])
    return torch.cat(outputs)


def _tiles_kept(query, key, value, block_len, is_causal):
    """All tiles of a row first, and then one maximum for them."""
    outputs = []
    for b, rows in enumerate(query.split(block_len)):
        seen = (b + 1) * block_len if is_causal else len(key)
        tiles = [rows @ k.T / math.sqrt(query.shape[-1]) for k in key[:seen].split(block_len)]
        if is_causal:
            last = torch.ones_like(tiles[-1])
            tiles[-1] = tiles[-1].masked_fill(last.triu(1) > 0, -math.inf)
        top = max(tile.max() for tile in tiles)
        total = sum(torch.exp(tile - top).sum(dim=-1, keepdim=True) for tile in tiles)
        values = value[:seen].split(block_len)
        pairs = zip(tiles, values, strict=True)
        outputs.append(sum(torch.exp(tile - top) @ v for tile, v in pairs) / total)
    return torch.cat(outputs)


# --- what the tiles cost ------------------------------------------------------------------------


PRODUCTS = {"matmul", "mm", "bmm", "mv", "einsum", "linear", "inner", "tensordot"}


class _Watch(TorchFunctionMode):
    """Notes the largest tensor that any call returned, the largest product, and how many tiles
    were held at a time."""

    def __init__(self):
        super().__init__()
        self.largest = self.product = self.tiles = 0
        self.held = {}  # of each tile that is alive, by its id: a reference that does not hold it

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if isinstance(result, torch.Tensor):
            self.largest = max(self.largest, result.numel())
            if getattr(function, "__name__", "") in PRODUCTS:
                self.product = max(self.product, result.numel())
            if result.shape == (BLOCK, BLOCK) and result.is_floating_point():
                self.held[id(result)] = weakref.ref(result)
                self.held = {key: ref for key, ref in self.held.items() if ref() is not None}
                self.tiles = max(self.tiles, len(self.held))
        return result


SIZE, BLOCK = 48, 4  # 12 by 12 tiles
STEPS = 9  # so many versions of one tile may be held: its scores, masked, their exponentials


def _inputs():
    generator = torch.Generator(device="cpu").manual_seed(0)
    return [randn(generator, SIZE, 3) for _ in range(3)]


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
NOT_SKIPPED = (
    "Your numbers are right, and you compute tiles in which a causal mask hides every pair: the "
    "output takes something from keys that lie after the whole block. Skip such a tile before its "
    "scores are made."
)


def _one_tile_at_a_time(function):
    watches = []

    def watched(*args):
        with _Watch() as watch:
            output = function(*args)
        watches.append(watch)
        return output

    query, key, value = _inputs()
    for is_causal in (False, True):
        call(EXERCISE, watched, (query, key, value, BLOCK, is_causal), 0)
    if any(watch.largest >= SIZE * SIZE for watch in watches):
        return TABLE, ""
    if any(watch.product > BLOCK * BLOCK or watch.tiles > STEPS for watch in watches):
        return MORE_THAN_A_TILE, ""
    return None


def _skips_the_future(function):
    """The last keys are nan: whoever computes a hidden tile with them has nan in its first rows.

    -inf in place of a hidden score saves the weights and not the values: 0 times nan is nan.
    """
    query, key, value = _inputs()
    key, value = key.clone(), value.clone()
    key[2 * BLOCK :], value[2 * BLOCK :] = math.nan, math.nan
    outcome = call(EXERCISE, function, (query, key, value, BLOCK, True), 0)
    if outcome.answer is None:
        return None
    return (NOT_SKIPPED, "") if outcome.answer["output"][: 2 * BLOCK].isnan().any() else None


def _cases(is_causal, *sizes):
    def make(generator):
        return [
            Case(
                (
                    *(randn(generator, n, d) for n in (length, length)),
                    randn(generator, length, d_v),
                    block,
                    is_causal,
                ),
                label=f"{length} tokens in blocks of {block}",
            )
            for length, d, d_v, block in sizes
        ]

    return make


def _large(generator):
    query, key, value = (randn(generator, 6, 4) for _ in range(3))
    return [
        Case((40 * query, 10 * key, value, 2, False), label="scores of some hundreds"),
        Case((40 * query, 10 * key, value, 4, True), label="scores of some hundreds, causal"),
    ]


EXERCISE = Exercise(
    lesson="12",
    number=3,
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
        Property("it holds no more than a tile of scores", 2, judge=_one_tile_at_a_time),
        Property("a tile that lies in the future is not computed", 1, judge=_skips_the_future),
    ),
    mistakes=(
        MISTAKES,
        Mistake("holds_a_table", TABLE, _whole_table),
        Mistake("more_than_a_tile", MORE_THAN_A_TILE, _softmax_of_rows, also=(_tiles_kept,)),
        Mistake("skips_nothing", NOT_SKIPPED, "if is_causal and -> if False and"),
    ),
)
