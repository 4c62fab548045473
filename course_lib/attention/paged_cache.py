"""A key-value cache in pages: memory that many sequences share, as PagedAttention keeps it.

A ``KVCache`` needs room for the longest text that may come. Here each sequence takes pages of 16
rows as it grows, from one store for all, and gives them back (Kwon et al. 2023,
https://arxiv.org/abs/2309.06180). Sequences that begin alike can hold the same pages.
"""

import functools
from collections.abc import Callable, Iterator, Sequence

import torch
from torch.nn.utils.rnn import pad_sequence

from course_lib.validation.layer_inputs import (
    check_append,
    check_floating,
    check_not_negative,
    check_positive,
)


class PageTable:
    """Which pages each sequence holds; one table serves all layers.

    A sequence that is not open is refused by a ValueError.

    Args:
        num_pages: how many pages there are in each layer.
        page_size: rows of a page, one for each token.

    Raises:
        TypeError, ValueError: a size is not a positive integer.
    """

    def __init__(self, num_pages: int, page_size: int = 16):
        check_positive(num_pages=num_pages, page_size=page_size)
        self.num_pages, self.page_size = num_pages, page_size
        self.pages: dict[int, list[int]] = {}  # of each open sequence, in the order of its text
        self.users = [0] * num_pages  # how many sequences hold each page
        self._fixed: dict[int, int] = {}  # how many first pages of a sequence others may hold
        # The page before, which stands for all that came before, and the tokens: the page.
        self._published: dict[tuple[int, ...], int] = {}
        self._opened = 0

    @property
    def free(self) -> int:
        """How many pages nobody holds."""
        return self.users.count(0)

    def make_rows(
        self, num_kv_heads: int, head_dim: int, *, device=None, dtype=None
    ) -> torch.Tensor:
        """Return the store of one layer, (2, num_kv_heads, num_pages * page_size, head_dim)."""
        check_positive(num_kv_heads=num_kv_heads, head_dim=head_dim)
        shape = (2, num_kv_heads, self.num_pages * self.page_size, head_dim)
        return torch.zeros(shape, device=device, dtype=dtype)

    def open(self, tokens: Sequence[int] = ()) -> int:
        """Begin a sequence, and return its number.

        It takes over the full pages of those that have begun with the same tokens and were
        published, but never the last token: somebody must compute what follows it.

        Args:
            tokens: of its prompt.
        """
        shared: list[int] = []
        for part in self._full_pages(tokens[:-1]):
            page = self._published.get((shared[-1] if shared else -1, *part))
            if page is None:
                break
            shared.append(page)
            self.users[page] += 1
        self._opened += 1
        self.pages[self._opened], self._fixed[self._opened] = shared, len(shared)
        return self._opened

    def publish(self, sequence: int, tokens: Sequence[int]) -> None:
        """Let later sequences share the full pages of these tokens, once all layers have them.

        Args:
            sequence: that has computed them.
            tokens: all of it so far, or its first ones.

        Raises:
            ValueError: it has no room for so many tokens.
        """
        pages, before = self._pages(sequence), -1
        room = len(pages) * self.page_size
        if len(tokens) > room:
            raise ValueError(f"tokens must be at most the {room} taken, got {len(tokens)}")
        for place, part in enumerate(self._full_pages(tokens)):
            if self._published.setdefault((before, *part), pages[place]) != pages[place]:
                break  # another has published the same beginning
            before = pages[place]
            self._fixed[sequence] = max(self._fixed[sequence], place + 1)

    def fixed(self, sequence: int) -> int:
        """Return how many first rows of a sequence stay as they are: others may hold them."""
        self._pages(sequence)
        return self._fixed[sequence] * self.page_size

    def take(self, sequence: int, length: int) -> None:
        """Take as many free pages as a sequence needs for ``length`` tokens in all.

        Raises:
            ValueError: there are too few; then none is taken.
        """
        pages = self._pages(sequence)
        number = -(-length // self.page_size) - len(pages)
        if number > self.free:
            raise ValueError(f"table must have {number} free pages, got {self.free}")
        for _ in range(number):
            page = self.users.index(0)
            self.users[page] = 1
            pages.append(page)

    def roll_back(self, sequence: int, length: int) -> None:
        """Give back the pages behind the first ``length`` tokens of a sequence.

        Raises:
            TypeError, ValueError: the length is no integer, negative, or among the fixed rows.
        """
        pages = self._pages(sequence)
        check_not_negative(length=length)
        if length < self.fixed(sequence):
            raise ValueError(
                f"length must be at least {self.fixed(sequence)}, the rows that others may hold, "
                f"got {length}"
            )
        self._give_back(pages, -(-length // self.page_size))

    def close(self, sequence: int) -> None:
        """End a sequence. A page goes back when nobody holds it any more."""
        self._give_back(self._pages(sequence), 0)
        del self.pages[sequence], self._fixed[sequence]

    def slots(self, sequence: int, length: int) -> torch.Tensor:
        """Return the rows of the first ``length`` tokens in a layer's store, (length,)."""
        first = torch.tensor(self._pages(sequence), dtype=torch.long)[:, None] * self.page_size
        return (first + torch.arange(self.page_size)).flatten()[:length]

    def _pages(self, sequence: int) -> list[int]:
        if sequence not in self.pages:
            raise ValueError(f"sequence must be one of {list(self.pages)}, got {sequence!r}")
        return self.pages[sequence]

    def _full_pages(self, tokens: Sequence[int]) -> Iterator[tuple[int, ...]]:
        for end in range(self.page_size, len(tokens) + 1, self.page_size):
            yield tuple(int(token) for token in tokens[end - self.page_size : end])

    def _give_back(self, pages: list[int], kept: int) -> None:
        while len(pages) > kept:
            page = pages.pop()
            self.users[page] -= 1
            if not self.users[page]:
                published = self._published.items()
                self._published = {name: at for name, at in published if at != page}


class PagedCache:
    """Keys and values of one sequence in one layer; attention takes it in the place of a KVCache.

    It begins with the rows that the sequence shares. ``append`` copies the rows out of their pages;
    a server's kernel reads them where they lie.

    Args:
        table: that the sequence was opened in.
        sequence: its number.
        rows: the layer's store, from ``table.make_rows``.

    Raises:
        ValueError: the sequence is not open.
    """

    def __init__(self, table: PageTable, sequence: int, rows: torch.Tensor):
        self._table, self._sequence, self._rows = table, sequence, rows
        self._length = table.fixed(sequence)

    @property
    def length(self) -> int:
        """How many tokens it holds. It can be set to fewer: the pages behind them go back."""
        return self._length

    @length.setter
    def length(self, length: int) -> None:
        if length > self._length:
            raise ValueError(f"length must be at most {self._length}, got {length}")
        self._table.roll_back(self._sequence, length)
        self._length = length

    def mark(self) -> Callable[[], object]:
        """Return a function that gives back what was taken since."""
        return functools.partial(setattr, self, "length", self._length)

    def append(self, key: torch.Tensor, value: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Add new tokens and return all keys and values so far, oldest first.

        Args:
            key, value: (1, num_kv_heads, new_len, head_dim).

        Returns:
            keys and values, (1, num_kv_heads, length, head_dim): copies.

        Raises:
            TypeError, ValueError, RuntimeError: as ``KVCache.append``, or no page is free.
        """
        sizes = ("batch_size", "num_kv_heads")
        end = check_append(self._rows[:1], self._length, sizes, "head_dim", key=key, value=value)
        self._table.take(self._sequence, end)
        slots = self._table.slots(self._sequence, end).to(self._rows.device)
        self._rows[:, :, slots[self._length :]] = torch.cat((key, value))
        self._length = end
        keys, values = self._rows[:, None, :, slots]
        return keys, values


class PagedBatch:
    """The caches of several sequences in one layer, for a step of all of them together.

    The shorter ones are padded on the left, as ``DecoderLM`` expects it: hide those keys with
    ``mask`` and give ``positions``.

    Args:
        caches: one ``PagedCache`` for each sequence of the batch.
    """

    def __init__(self, caches: Sequence[PagedCache]):
        self._caches = tuple(caches)

    @property
    def length(self) -> int:
        """The length of the longest."""
        return max(cache.length for cache in self._caches)

    def mark(self) -> Callable[[], object]:
        """Return a function that gives back what was taken since, by each."""
        put_back = [cache.mark() for cache in self._caches]
        return lambda: [undo() for undo in put_back]

    def append(self, key: torch.Tensor, value: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Add as many new tokens to each, and return all keys and values so far.

        Where one of them has no room, none has taken any.

        Args:
            key, value: (batch, num_kv_heads, new_len, head_dim).

        Returns:
            keys and values, (batch, num_kv_heads, length, head_dim), with zeros on the left.

        Raises:
            TypeError, ValueError, RuntimeError: as ``PagedCache.append``.
        """
        for name, rows in (("key", key), ("value", value)):
            check_floating(name, rows)
            if len(rows) != (batch_size := len(self._caches)):
                raise ValueError(f"{name} must have batch_size={batch_size}, got {len(rows)}")
        parts = zip(self._caches, key.split(1), value.split(1), strict=True)
        put_back = self.mark()
        try:
            held = [cache.append(*new) for cache, *new in parts]  # (1, heads, own length, head_dim)
        except BaseException:
            put_back()
            raise
        keys, values = (
            pad_sequence(
                [rows[0].transpose(0, 1) for rows in of_all], batch_first=True, padding_side="left"
            ).transpose(1, 2)
            for of_all in zip(*held, strict=True)
        )
        return keys, values
