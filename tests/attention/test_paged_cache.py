"""Pages change where keys and values lie, and nothing else; no row that others hold is written."""

import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib import DecoderLM, KVCache
from course_lib.attention.paged_cache import PagedBatch, PagedCache, PageTable
from reference_attention import PROPERTY
from refusals import refuses


def small_model():
    return DecoderLM(11, 16, 4, 2, num_kv_heads=2, positions="rotary")


def stores(table, model):
    return [table.make_rows(2, 4) for _ in model.stack.blocks]


def caches_of(table, sequence, stores):
    return [PagedCache(table, sequence, rows) for rows in stores]


@PROPERTY
@given(chunks=st.lists(st.integers(0, 9), min_size=1, max_size=5), page_size=st.integers(1, 5))
def test_equal_to_a_kv_cache_to_the_last_bit(chunks, page_size):
    table = PageTable(sum(chunks) + 8, page_size)
    other = PagedCache(table, table.open(), table.make_rows(3, 4))
    ours = PagedCache(table, table.open(), other._rows)
    plain = KVCache(1, 3, sum(chunks) + 1, 4)
    for chunk in chunks:
        key, value = torch.randn(2, 1, 3, chunk, 4)
        held, expected = ours.append(key, value), plain.append(key, value)
        assert ours.length == plain.length
        assert all(map(torch.equal, held, expected))
        if other.length < 8:  # another takes pages in between
            other.append(*torch.randn(2, 1, 3, 1, 4))


@torch.no_grad()
def test_a_shared_beginning_is_not_computed_again_and_changes_no_logit():
    model = small_model()
    table = PageTable(20, 4)
    rows = stores(table, model)
    first = torch.randint(11, (1, 10))
    sequence = table.open(first[0].tolist())
    model(first, caches=caches_of(table, sequence, rows))
    table.publish(sequence, first[0].tolist())
    second = torch.cat((first[:, :9], first[:, 9:] + 1, first), dim=1) % 11
    shared = table.open(second[0].tolist())
    caches = caches_of(table, shared, rows)
    assert caches[0].length == 8 and table.pages[shared] == table.pages[sequence][:2]
    logits, _ = model(second[:, 8:], caches=caches)
    torch.testing.assert_close(logits, model(second)[0][:, 8:])
    table.close(sequence)  # the pages stay with the other
    assert caches_of(table, table.open(second[0].tolist()), rows)[0].length == 8


@torch.no_grad()
def test_a_batch_of_unequal_lengths_is_padded_on_the_left():
    model = small_model().double()
    table = PageTable(20, 4)
    rows = [store.double() for store in stores(table, model)]
    texts = [torch.randint(11, (1, length)) for length in (3, 9, 6)]
    each = [caches_of(table, table.open(), rows) for _ in texts]
    for text, caches in zip(texts, each, strict=True):
        model(text[:, :-2], caches=caches)
    lengths = torch.tensor([[caches[0].length] for caches in each])  # (3, 1)
    new = torch.cat([text[:, -2:] for text in texts])  # (3, 2)
    longest = int(lengths.max())
    mask = torch.arange(longest + 2) >= longest - lengths  # (3, key_len)
    batch = [PagedBatch(layer) for layer in zip(*each, strict=True)]
    assert batch[0].length == longest
    positions = lengths + torch.arange(2)
    logits, _ = model(new, mask=mask[:, None, None], positions=positions, caches=batch)
    for row, text in zip(logits, texts, strict=True):
        torch.testing.assert_close(row, model(text)[0][0, -2:])
    with pytest.raises(ValueError, match="key must have batch_size=3, got 2"):
        batch[0].append(*torch.zeros(2, 2, 2, 1, 4))


def test_a_batch_that_does_not_fit_changes_no_sequence():
    table = PageTable(3, 2)
    caches = [PagedCache(table, table.open(), table.make_rows(1, 1)) for _ in range(2)]
    batch = PagedBatch(caches)
    batch.append(*torch.ones(2, 2, 1, 2, 1))
    with pytest.raises(ValueError, match="table must have 1 free pages, got 0"):
        batch.append(*torch.ones(2, 2, 1, 1, 1))  # one page is left, and the first takes it
    refuses(TypeError, "key must be a torch.Tensor, got list", batch.append, [1.0, 1.0], [1.0, 1.0])
    token = torch.ones(2, 1, 2, 1)
    for wrong in ((token[:1], token), (token, token[:1]), (None, token), (token, None)):
        refuses((TypeError, ValueError), "key|value", batch.append, *wrong)
    assert [cache.length for cache in caches] == [2, 2] and table.free == 1


STEP = st.tuples(
    st.sampled_from(("open", "grow", "grow", "back", "publish", "close")),
    st.integers(0, 3),
    st.integers(0, 7),
)


@PROPERTY
@given(steps=st.lists(STEP, max_size=40), page_size=st.integers(1, 4))
def test_no_written_page_has_two_owners_and_all_pages_come_back(steps, page_size):
    """Each sequence holds its own tokens, whatever others do: the rows say which they are."""
    table = PageTable(24, page_size)
    rows = table.make_rows(1, 1)
    texts: dict[int, list[int]] = {}
    caches: dict[int, PagedCache] = {}

    def append(sequence, tokens):
        new = torch.tensor(tokens, dtype=torch.float)[None, None, :, None]
        before, free = {key: list(pages) for key, pages in table.pages.items()}, table.free
        try:
            keys, values = caches[sequence].append(new, -new)
        except ValueError:  # no page is free: nothing has changed
            assert (before, free) == (table.pages, table.free)
            return
        texts[sequence] += tokens
        assert keys.flatten().tolist() == texts[sequence] == (-values).flatten().tolist()
        first = table.fixed(sequence) // page_size
        assert all(table.users[page] == 1 for page in table.pages[sequence][first:])

    for what, which, number in steps:
        sequence = list(texts)[which % len(texts)] if texts else None
        if what == "open" or sequence is None:
            prompt = [0] * number + [which, 1]
            sequence = table.open(prompt)
            caches[sequence] = PagedCache(table, sequence, rows)
            held = caches[sequence].length
            assert held % page_size == 0 and held < len(prompt)
            texts[sequence] = prompt[:held]
            append(sequence, prompt[held:])
        elif what == "grow":
            append(sequence, [which] * number)
        elif what == "back":
            kept = max(table.fixed(sequence), len(texts[sequence]) - number)
            caches[sequence].length = kept
            texts[sequence] = texts[sequence][:kept]
        elif what == "publish":
            table.publish(sequence, texts[sequence])
        else:
            table.close(sequence)
            del texts[sequence], caches[sequence]
        holders = [page for pages in table.pages.values() for page in pages]
        assert table.users == [holders.count(page) for page in range(24)]
        for sequence in texts:
            append(sequence, [])  # what it holds has not changed
    for sequence in list(texts):
        table.close(sequence)
    assert table.free == 24
    assert table.pages[table.open([0] * 9)] == []  # nothing is found of what was given back


def test_what_does_not_fit_is_refused():
    table = PageTable(2, 4)
    cache = PagedCache(table, table.open(), table.make_rows(1, 2))
    cache.append(*torch.zeros(2, 1, 1, 5, 2))
    other = PagedCache(table, table.open(), cache._rows)
    with pytest.raises(ValueError, match="table must have 1 free pages, got 0"):
        other.append(*torch.zeros(2, 1, 1, 1, 2))
    with pytest.raises(ValueError, match=re.escape("tokens must be at most the 8 taken, got 9")):
        table.publish(1, [0] * 9)
    refuses(ValueError, re.escape("sequence must be one of [1, 2], got 3"), table.close, 3)
    with pytest.raises(ValueError, match="length must be at most 5, got 6"):
        cache.length += 1
    with pytest.raises(ValueError, match="length must be 0 or more, got -1"):
        cache.length = -1
    table.publish(1, [0] * 5)
    with pytest.raises(ValueError, match="length must be at least 4, the rows that others may"):
        cache.length = 3
    refuses(ValueError, "key must have shape", cache.append, *torch.zeros(2, 1, 2, 1, 2))
    with pytest.raises(TypeError, match="key must have the cache's dtype torch.float32"):
        cache.append(*torch.zeros(2, 1, 1, 1, 2).half())
    refuses(ValueError, "page_size must be at least 1, got 0", PageTable, 2, 0)
    assert cache.length == 5
