"""What a layer does, measured: which output moves when which token is changed."""

import math
from collections.abc import Callable

import torch

from course_checks.examine.calling import BroughtLayer

BATCH = 3
WIDE = 3.0  # inputs of this size, so that scores differ also in a layer that starts small
LARGE = 100.0
LOUD = 3000.0  # beside this a softmax row saturates, and nothing but a mask keeps a token out
SMALL = 0.02  # a change of this share of another one is only a trace of it
TOLERANCES = {torch.float64: 1e-9, torch.float32: 1e-5, torch.float16: 0.01, torch.bfloat16: 0.06}

Run = Callable[[torch.Tensor], torch.Tensor]  # the layer, of one of its inputs


def same_table(table: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tables are equal but for the diagonal: an output may move with its own token."""
    own = torch.eye(len(table), dtype=torch.bool)
    return torch.equal(table | own, other | own)


class Probe:
    """Runs a layer on random inputs; a path is with weights, without, or None where it has one.

    ``tables`` keeps what was measured; ``mistakes`` names mistakes by it.
    """

    def __init__(
        self,
        layer: BroughtLayer,
        d_model: int,
        *,
        is_causal: bool,
        device: torch.device,
        dtype: torch.dtype,
        tolerance: float | None,
        seed: int,
        length: int | None = None,
    ):
        self.layer, self.d_model, self.is_causal = layer, d_model, is_causal
        self.device, self.dtype = device, dtype
        self.tolerance = TOLERANCES[dtype] if tolerance is None else tolerance
        self.generator = torch.Generator().manual_seed(int(seed))
        self.length = length or (6 if d_model != 6 else 7)  # no size may be taken for another
        self.paths = (None,) if layer.weights_argument is None else (False, True)
        self._taken: dict[int, bool] = {}
        self.tables: dict[tuple[str, bool | str | None], torch.Tensor] = {}

    def draw(self, length: int | None = None) -> torch.Tensor:
        """Return random tokens (batch, length, d_model).

        They are small enough that a token's product with itself does not take all the weight in a
        layer without maps.
        """
        shape = (BATCH, length or self.length, self.d_model)
        x = torch.randn(shape, generator=self.generator) * self.d_model**-0.25
        return x.to(self.device, self.dtype)

    def draw_near(self, length: int | None = None) -> torch.Tensor:
        """Return tokens that are nearly the first one, so that each gets a share of any softmax.

        Where scores are sharp cosines, tokens that are drawn apart see nobody but themselves.
        """
        x = self.draw(length)
        return torch.cat([x[:, :1], x[:, :1] + 0.3 * x[:, 1:]], dim=1)

    def output(self, x: torch.Tensor, path: bool | None, *, causal=None, **inputs) -> torch.Tensor:
        """Return the output (batch, query_len, d_model); causal where the layer is meant to be."""
        causal = self.is_causal if causal is None else causal
        return self.layer(x, causal=causal, with_weights=path, **inputs)[0]

    def change(self, after: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        """How far each output moved, as a share of the largest number, (...).

        Infinite where one of the two is nan, and 0 where both are: that nan is there is told by
        the first test, and that it stays says nothing.
        """
        size = before.nan_to_num(0, 0, 0).abs().max().item() or 1.0
        change = (after - before).abs().amax(dim=-1).double().cpu() / size
        both = ((after != after) & (before != before)).any(dim=-1).cpu()
        return change.nan_to_num(nan=math.inf).masked_fill(both, 0.0)

    def differs(self, after: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        """Which outputs are not the same but for rounding, (...)."""
        return self.change(after, before) > self.tolerance

    def changes(self, run: Run, length: int | None = None) -> torch.Tensor:
        """Entry [i, j] is how far output i moves when token j is changed, at most."""
        columns = []
        draws = [self.draw(length), self.draw_near(length)]
        befores = [run(x) for x in draws]
        for j in range(draws[0].shape[1]):
            moves = []
            for x, before in zip(draws, befores, strict=True):
                changed = x.clone()
                changed[:, j] = self.draw(1)[:, 0]
                moves.append(self.change(run(changed), before))  # (batch, outputs)
            columns.append(torch.cat(moves).amax(dim=0))
        return torch.stack(columns, dim=-1)  # (outputs, tokens)

    def loud_changes(self, run: Run, length: int | None = None, size: float = LOUD) -> torch.Tensor:
        """The same for a token that becomes so large that it takes all of a softmax that it is in.

        A weight that is taken away behind the softmax is missed then, though the rest is shared
        out again. Small changes are rounding of large numbers, and count as none.
        """
        x, columns = WIDE * self.draw(length), []
        if self.is_coarse:
            return torch.zeros(1, x.shape[1])
        before = run(x)
        for j in range(x.shape[1]):
            loud = x.clone()
            loud[:, j] = size * self.draw(1)[:, 0]
            columns.append(self.change(run(loud), before).amax(dim=0))
        changes = torch.stack(columns, dim=-1)  # (outputs, tokens)
        return changes.masked_fill(changes <= LOUD * self.tolerance, 0)

    def who_moves(self, run: Run, length: int | None = None) -> torch.Tensor:
        """Entry [i, j] is True where output i moves when token j is changed, a little or much."""
        changes = self.changes(run, length)
        return (changes > self.tolerance) | (self.loud_changes(run, length) > 0)

    def which_sequence_moves(self, run: Run) -> torch.Tensor:
        """Entry [a, b] is True where an output of sequence a moves when sequence b is changed."""
        x = self.draw()
        before, columns = run(x), []
        for b in range(BATCH):
            changed = x.clone()
            changed[b] = self.draw()[b]
            columns.append(self.differs(run(changed), before).any(dim=-1))
        return torch.stack(columns, dim=-1)  # (batch, batch)

    def meant(self, length: int | None = None) -> torch.Tensor:
        """The table (length, length) of a layer as this one is meant to be, True = may attend."""
        length = length or self.length
        everything = torch.ones(length, length, dtype=torch.bool)
        return everything.tril() if self.is_causal else everything

    @property
    def own(self) -> torch.Tensor:
        """The table of a layer in which each token sees itself and nobody else."""
        return torch.eye(self.length, dtype=torch.bool)

    def seen(self) -> torch.Tensor:
        """What a token looks at without a mask: less than it may, in a layer with a window."""
        return torch.stack([self.tables["bare", path] for path in self.paths]).any(dim=0)

    def interacts(self) -> bool:
        """Whether any output moves with a token that is not its own."""
        return bool((self.seen() & ~self.own).any())

    def equal_are_equal(self, path: bool | None) -> bool:
        """Whether equal tokens get equal outputs, nan left out."""
        length = 12 if self.takes(12) else self.length
        output = self.output(self.draw(1).repeat(1, length, 1), path)
        finite = output.isfinite().all(dim=-1).all(dim=0)
        output = output[:, finite]
        return bool(output.shape[1]) and not self.differs(output, output[:, :1]).any()

    def takes(self, length: int) -> bool:
        """Whether the layer takes so many tokens; one with a table of its own may not."""
        if length not in self._taken:
            x = torch.zeros(BATCH, length, self.d_model).to(self.device, self.dtype)
            self._taken[length] = self._runs(lambda: self.output(x, self.paths[0]))
        return self._taken[length]

    def refuses_keys(self, path: bool | None) -> bool:
        """Whether the layer stops when it is given keys beside its queries."""
        return not self._runs(lambda: self.output(self.draw(1), path, keys=self.draw(2)))

    @staticmethod
    def _runs(call: Callable[[], torch.Tensor]) -> bool:
        try:
            call()
        except Exception:  # whatever somebody's layer raises
            return False
        return True

    def does_more(self, path: bool | None) -> bool:
        """Whether what comes out for a token alone is not just mapped, and added to a constant.

        For a query apart from its only key, it may be a sum of what each of them gives.
        """
        a, b, c, d = (self.draw(1) for _ in range(4))
        out_a, out_b, of_sum, of_zero = (self.output(x, path) for x in (a, b, a + b, 0 * a))
        if self.differs(out_a + out_b, of_sum + of_zero).any():
            return True
        if not self.layer.takes_keys or self.refuses_keys(path):
            return False
        pairs = [self.output(q, path, keys=k) for q, k in ((a, c), (b, d), (a, d), (b, c))]
        return bool(self.differs(pairs[0] + pairs[1], pairs[2] + pairs[3]).any())

    @property
    def is_coarse(self) -> bool:
        """Whether the dtype rounds too much for small differences to be read."""
        return self.dtype in (torch.float16, torch.bfloat16)

    def draw_mask(self) -> torch.Tensor:
        """Return a mask (length, length), True = may attend.

        Two chains in random order; each token sees itself and what is before it in its chain. So
        everybody sees somebody, what is seen through others is allowed too (in a stack of
        layers), and the mask is unlike its inverse and its transpose.
        """
        rank = torch.randperm(self.length, generator=self.generator)
        chain = torch.arange(self.length) % 2
        return (chain[:, None] == chain) & (rank[:, None] >= rank)
