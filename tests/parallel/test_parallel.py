"""Heads divided among ranks as plain slices, in one process: sums, numbers and errors."""

import copy
import json
import re
import sys

import pytest
import torch
import torch.distributed as dist
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from comparing_modules import close, randomize_biases_and_norms
from course_lib import FeedForward, MultiHeadAttention, RotaryEmbedding, parallel
from course_lib.parallel import cases, processes
from public_defaults import public_defaults
from reference_attention import PROPERTY
from refusals import refuses

DIVISIONS = [
    (heads, key_heads, ranks)
    for heads in (1, 2, 4, 6, 8, 12)
    for key_heads in range(1, heads + 1)
    for ranks in range(1, heads + 1)
    if heads % key_heads == 0
    and heads % ranks == 0
    and (key_heads % ranks == 0 or ranks % key_heads == 0)
]


@pytest.mark.parametrize(("heads", "key_heads", "ranks"), DIVISIONS)
def test_each_query_head_is_on_one_rank_beside_its_own_key_head(heads, key_heads, ranks):
    owned = []
    for rank in range(ranks):
        queries, keys = parallel.heads_of_rank(heads, key_heads, rank, ranks)
        assert len(queries) == heads // ranks and len(keys) == max(1, key_heads // ranks)
        assert {head * key_heads // heads for head in queries} == set(keys)
        owned += queries
    assert owned == list(range(heads))


@PROPERTY
@given(st.sampled_from(DIVISIONS), st.booleans(), st.booleans(), st.booleans())
def test_the_outputs_of_all_ranks_sum_to_the_whole(division, bias, rotary, cross):
    heads, key_heads, ranks = division
    turns = RotaryEmbedding(4) if rotary and not cross else None
    whole = MultiHeadAttention(
        heads * 4, heads, num_kv_heads=key_heads, bias=bias, rotary=turns, dtype=torch.float64
    )
    whole = randomize_biases_and_norms(whole)
    before = copy.deepcopy(whole.state_dict())
    x = torch.randn(2, 5, heads * 4, dtype=torch.float64)
    key = torch.randn(2, 7, heads * 4, dtype=torch.float64) if cross else None
    mask = torch.rand(2, 1, 5, 7 if cross else 5) < 0.7
    expected, expected_weights = whole(x, key, mask=mask, is_causal=True, need_weights=True)
    for need_weights in (False, True):
        parts = [parallel.shard_attention(whole, rank, ranks) for rank in range(ranks)]
        options = {"mask": mask, "is_causal": True, "need_weights": need_weights}
        results = [part(x, key, **options) for part in parts]
        close(sum(output for output, _ in results), expected)
    close(torch.cat([weights for _, weights in results], dim=1), expected_weights)
    for name, tensor in before.items():  # the whole is as it was, and shares nothing
        assert torch.equal(tensor, whole.state_dict()[name])
        assert all(
            part.get_parameter(name).data_ptr() != whole.get_parameter(name).data_ptr()
            for part in parts
            if name in part.state_dict()
        )


@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("ranks", [1, 2, 3, 6])
def test_the_feed_forward_network_too(gated, bias, ranks):
    whole = randomize_biases_and_norms(
        FeedForward(8, 12, gated=gated, bias=bias, dtype=torch.float64)
    )
    x = torch.randn(2, 5, 8, dtype=torch.float64)
    parts = [parallel.shard_feed_forward(whole, rank, ranks) for rank in range(ranks)]
    close(sum(part(x) for part in parts), whole(x))
    assert torch.equal(torch.cat([part.up_proj.weight for part in parts]), whole.up_proj.weight)


def test_a_part_keeps_what_the_whole_was_set_to():
    whole = MultiHeadAttention(16, 4, num_kv_heads=2, dropout=0.25).half().eval()
    whole.q_proj.weight.requires_grad_(False)
    part = parallel.shard_attention(whole, 1, 2)
    assert (part.num_heads, part.num_kv_heads, part.head_dim, part.dropout) == (2, 1, 4, 0.25)
    assert not part.training and part.q_proj.weight.dtype == torch.float16
    assert not part.q_proj.weight.requires_grad and part.k_proj.weight.requires_grad
    assert (part.q_proj.in_features, part.q_proj.out_features) == (16, 8)
    assert (part.out_proj.in_features, part.out_proj.out_features) == (8, 16)


def test_an_attention_alone_becomes_its_part_and_nothing_is_drawn_at_random(monkeypatch):
    become(0, 2, monkeypatch)
    whole = MultiHeadAttention(16, 4)
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    assert parallel.parallelize(whole).num_heads == 2
    assert torch.equal(torch.rand(3), expected)


@pytest.mark.parametrize(
    ("error", "message", "arguments"),
    [
        (ValueError, "world_size must divide num_heads 12, got 5", (12, 12, 0, 5)),
        (ValueError, "num_kv_heads must divide num_heads 12, got 5", (12, 5, 0, 1)),
        (
            ValueError,
            "world_size must divide num_kv_heads 4 or be a multiple of it, got 6",
            (12, 4, 0, 6),
        ),
        (ValueError, "rank must be 0 to 1, got 2", (4, 4, 2, 2)),
        (ValueError, "rank must be 0 to 1, got -1", (4, 4, -1, 2)),
        (ValueError, "world_size must be at least 1, got 0", (4, 4, 0, 0)),
        (TypeError, "num_heads must be an integer, got 4.0", (4.0, 4, 0, 2)),
    ],
)
def test_heads_that_do_not_divide_are_refused(error, message, arguments):
    refuses(error, re.escape(message), parallel.heads_of_rank, *arguments)


def test_a_feed_forward_network_that_does_not_divide_is_refused():
    with pytest.raises(ValueError, match="world_size must divide d_ff 12, got 5"):
        parallel.shard_feed_forward(FeedForward(4, 12), 0, 5)
    with pytest.raises(ValueError, match="rank must be 0 to 2, got 3"):
        parallel.shard_feed_forward(FeedForward(4, 12), 3, 3)


def test_what_cannot_be_divided_is_refused_before_any_process_is_asked():
    with pytest.raises(ValueError, match="must hold a MultiHeadAttention or a FeedForward, got L"):
        parallel.parallelize(nn.Linear(4, 4))
    dropping = FeedForward(4, 8, dropout=0.1)
    words = "dropout must be 0 in a module that is divided, got 0.1"
    for divide in (parallel.parallelize, parallel.ParallelFeedForward):
        refuses(ValueError, words, divide, dropping)


# --- the ring's plan, and bytes -----------------------------------------------------------------


@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7])
def test_each_rank_meets_every_part_once_and_no_two_hold_the_same(ranks):
    plans = [parallel.parts_met(rank, ranks) for rank in range(ranks)]
    for rank, plan in enumerate(plans):
        assert sorted(plan) == list(range(ranks)) and plan[0] == rank
        assert sorted(
            p for p in parallel.parts_met(rank, ranks, is_causal=True) if p is not None
        ) == list(range(rank + 1))
    for step in zip(*plans, strict=True):
        assert sorted(step) == list(range(ranks))
    for before, after in zip(plans, plans[1:], strict=False):
        assert after[1:] == before[:-1]  # what the next rank gets is what this one had
    assert parallel.idle_share(ranks, is_causal=False) == 0
    assert parallel.idle_share(ranks, is_causal=True) == pytest.approx((ranks - 1) / (2 * ranks))


def test_the_plan_of_a_rank_that_is_not_there_is_refused():
    refuses(ValueError, "rank must be 0 to 2, got 3", parallel.parts_met, 3, 3)
    with pytest.raises(TypeError, match="world_size must be an integer, got 2.5"):
        parallel.idle_share(2.5, is_causal=True)


def test_what_is_taken_where_nothing_is_given():
    assert {name: list(defaults) for name, defaults in public_defaults(parallel).items()} == {
        "is_causal": [False],
        "seconds": [300],
        "show": [True],
        "weights": ["trained"],
    }


# --- processes ----------------------------------------------------------------------------------


def test_a_process_that_torchrun_did_not_start_is_told_how(monkeypatch):
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    with pytest.raises(RuntimeError, match="torchrun starts them"), parallel.process_group():
        pass


@pytest.mark.parametrize("gpus", [1, 2])
def test_each_process_has_a_gpu_of_its_own_or_all_are_on_the_cpu(gpus, monkeypatch):
    """NCCL must be told the device: it would guess one, warn, and could wait for ever."""
    joined = []
    for name, value in {"LOCAL_RANK": "1", "LOCAL_WORLD_SIZE": "2"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # set back at the end
    monkeypatch.setattr(processes, "_end_with", lambda parent: None)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: gpus)
    monkeypatch.setattr(torch.cuda, "set_device", lambda device: joined.append(device))
    monkeypatch.setattr(dist, "is_nccl_available", lambda: True)
    monkeypatch.setattr(dist, "destroy_process_group", lambda: joined.append("left"))
    monkeypatch.setattr(
        dist, "init_process_group", lambda name, **given: joined.append((name, given["device_id"]))
    )
    with parallel.process_group() as device:
        assert str(device) == ("cuda:1" if gpus == 2 else "cpu")
    own = [device, ("nccl", device)] if gpus == 2 else [("gloo", None)]
    assert joined == [*own, "left"]


def test_a_number_of_processes_that_cannot_be_is_refused():
    refuses(ValueError, "processes must be at least 1, got 0", parallel.run_processes, ["x.py"], 0)


def become(rank, ranks, monkeypatch):
    """This process is one of so many, and what it sends to be summed comes back."""
    for name, answer in {"get_rank": rank, "get_world_size": ranks, "barrier": None}.items():
        monkeypatch.setattr(dist, name, lambda answer=answer: answer)
    monkeypatch.setattr(dist, "all_reduce", lambda x: x)


def test_one_rank_fetches_what_all_of_them_load(monkeypatch):
    fetched = []
    monkeypatch.setattr(cases, "fetch", fetched.append)
    monkeypatch.setattr(cases, "load_smollm2", lambda device: 1 / 0)
    for rank, files in ((1, []), (0, [cases.SMOLLM2])):
        become(rank, 2, monkeypatch)
        refuses(ZeroDivisionError, "division", cases.real, torch.device("cpu"))
        assert fetched == files


@pytest.mark.parametrize(("kind", "ranks"), [("cpu", 1), ("meta", 4)])
def test_times_are_of_what_their_lines_say(kind, ranks, monkeypatch, capsys):
    ran = []

    def run_once(run, device):
        with FlopCounterMode(display=False) as counter:
            ran.append((run(), counter.get_total_flops))
        return 3.5

    become(0, ranks, monkeypatch)
    monkeypatch.setattr(cases, "median_ms", run_once)
    cases.timed(torch.device(kind))
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    threads = 3 * ["threads"] * (ranks == 1)
    assert [row["what"] for row in rows] == 5 * ["all_reduce"] + 4 * ["block"] + threads
    assert all(row["ms"] == 3.5 and row["processes"] == ranks for row in rows)
    assert [row["num_bytes"] for row in rows[:5]] == [2**n for n in (10, 14, 18, 22, 24)]
    assert [(x.nbytes, x.device.type) for x, _ in ran[:5]] == [
        (r["num_bytes"], kind) for r in rows[:5]
    ]
    for row, ((output, *_), flop) in zip(rows[5:], ran[5:], strict=True):
        assert output.shape == (1, row["length"], row["d_model"]) and output.device.type == kind
        if ranks == 4:  # each does a quarter, and sends 3/4 of the output twice for each sum
            assert row["gflop"] * 1e9 == 4 * flop() and row["num_bytes"] == 3 * output.nbytes
