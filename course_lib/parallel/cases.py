"""Cases that run in several processes and compare themselves with one.

Each one fails where the numbers differ by more than rounding, and prints a few lines from rank 0.
"""

import argparse
import copy
import json
from collections.abc import Callable
from functools import partial
from typing import Any, cast

import torch
import torch.distributed as dist
import torch.nn.functional as F

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.data.download import fetch
from course_lib.data.real_model import SMOLLM2, encode, load_smollm2
from course_lib.model.block import TransformerBlock
from course_lib.model.language_model import DecoderLM
from course_lib.model.pretrained import LLAMA
from course_lib.parallel.comparing import (
    Pairs,
    compare,
    counted,
    median_ms,
    parts_of_gradients,
    say,
    say_bytes,
    seeded,
    with_random_biases_and_norms,
)
from course_lib.parallel.processes import process_group
from course_lib.parallel.ring import idle_share, parts_met, ring_attention
from course_lib.parallel.tensor import (
    ParallelAttention,
    parallelize,
    shard_attention,
    shard_feed_forward,
)
from course_lib.parallel.wire import all_reduce_bytes, ring_bytes

HEADS, HEAD_DIM, BATCH, LENGTH = 12, 8, 4, 240
D_MODEL = HEADS * HEAD_DIM


def tensor(device: torch.device) -> None:
    """Heads divided by hand: forward and backward, with key heads enough and with one."""
    randn, world_size = seeded(device), dist.get_world_size()
    for num_kv_heads in (HEADS, 1):
        whole = MultiHeadAttention(D_MODEL, HEADS, num_kv_heads=num_kv_heads, dtype=torch.float64)
        with_random_biases_and_norms(whole).to(device)
        ours = ParallelAttention(whole)
        x, probe = randn(BATCH, LENGTH, whole.d_model), randn(BATCH, LENGTH, whole.d_model)
        for_whole, for_ours = (x.clone().requires_grad_() for _ in range(2))
        name = f"{HEADS} heads, {num_kv_heads} key head{'s' * (num_kv_heads > 1)}"
        expected, _ = whole(for_whole, is_causal=True)
        (output, _), sent = counted(lambda: ours(for_ours, is_causal=True))  # noqa: B023
        compare(f"{name}, output", [(output, expected)])
        size = x.numel() * x.element_size()
        say_bytes(f"{name}, forward", all_reduce_bytes(size, world_size), sent, device)
        (expected * probe).sum().backward()
        (output * probe).sum().backward()
        pairs = [(for_ours.grad, for_whole.grad), *parts_of_gradients(whole, ours)]
        compare(f"{name}, gradients", pairs)


def dtensor(device: torch.device) -> None:
    """The same heads divided by torch's own ``parallelize_module``."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor.parallel import (
        ColwiseParallel,
        RowwiseParallel,
        parallelize_module,
    )

    randn, world_size = seeded(device), dist.get_world_size()
    whole: Any = TransformerBlock(D_MODEL, HEADS, gated=True, dtype=torch.float64)
    with_random_biases_and_norms(whole).to(device)
    ours: Any = parallelize(copy.deepcopy(whole))
    theirs: Any = copy.deepcopy(whole)
    plan = {
        "attention.q_proj": ColwiseParallel(),
        "attention.k_proj": ColwiseParallel(),
        "attention.v_proj": ColwiseParallel(),
        "attention.out_proj": RowwiseParallel(),
        "feed_forward.gate_proj": ColwiseParallel(),
        "feed_forward.up_proj": ColwiseParallel(),
        "feed_forward.down_proj": RowwiseParallel(),
    }
    parallelize_module(theirs, init_device_mesh(device.type, (world_size,)), plan)
    x, probe = randn(BATCH, LENGTH, D_MODEL), randn(BATCH, LENGTH, D_MODEL)
    results: list[tuple] = []
    for block in (whole, ours, theirs):
        given = x.clone().requires_grad_()
        output, *_ = block(given, is_causal=True)
        (output * probe).sum().backward()
        results.append((output, given.grad))
    compare("a block divided by hand", list(zip(results[1], results[0], strict=True)))
    compare("a block divided by torch", list(zip(results[2], results[0], strict=True)))
    pairs: Pairs = []
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        weight = theirs.attention.get_submodule(name).weight
        mine = ours.attention.part.get_submodule(name).weight
        pairs += [(weight.to_local(), mine), (weight.grad.to_local(), mine.grad)]
    compare("the weights that torch gives this rank, and their gradients", pairs)


def block(device: torch.device) -> None:
    """A whole block with its feed-forward network, in both orders, and what it sends."""
    randn, world_size = seeded(device), dist.get_world_size()
    for norm_first in (True, False):
        whole = TransformerBlock(
            D_MODEL, HEADS, norm_first=norm_first, gated=norm_first, dtype=torch.float64
        )
        with_random_biases_and_norms(whole).to(device)
        ours: Any = parallelize(copy.deepcopy(whole))
        x, probe = randn(BATCH, LENGTH, D_MODEL), randn(BATCH, LENGTH, D_MODEL)
        for_whole, for_ours = (x.clone().requires_grad_() for _ in range(2))
        expected, *_ = whole(for_whole, is_causal=True)
        (output, *_), sent = counted(lambda: ours(for_ours, is_causal=True))  # noqa: B023
        name = f"a block that normalises {'first' if norm_first else 'last'}"
        compare(f"{name}, output", [(output, expected)])
        size = x.numel() * x.element_size()
        say_bytes(f"{name}, forward", 2 * all_reduce_bytes(size, world_size), sent, device)
        (expected * probe).sum().backward()
        _, sent = counted((output * probe).sum().backward)
        say_bytes(f"{name}, backward", 2 * all_reduce_bytes(size, world_size), sent, device)
        pairs = [(for_ours.grad, for_whole.grad)]
        pairs += parts_of_gradients(whole.attention, ours.attention)
        for norm in ("attention_norm", "feed_forward_norm"):
            both = (model.get_submodule(norm).parameters() for model in (ours, whole))
            pairs += [(mine.grad, theirs.grad) for mine, theirs in zip(*both, strict=True)]
        compare(f"{name}, gradients", pairs)


def step(device: torch.device) -> None:
    """One training step of a small language model: all parameters after it."""
    seeded(device)
    vocabulary, world_size = 50, dist.get_world_size()
    settings: dict[str, Any] = {"d_ff": 192, "num_kv_heads": 1, "dtype": torch.float64} | LLAMA
    whole: Any = DecoderLM(vocabulary, D_MODEL, HEADS, 2, **settings).to(device)
    before = copy.deepcopy(whole)
    ours: Any = parallelize(copy.deepcopy(whole))
    tokens = torch.randint(vocabulary, (BATCH, 33)).to(device)
    for model in (whole, ours):
        optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
        logits, _ = model(tokens[:, :-1])
        F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten()).backward()
        optimizer.step()
    pairs: Pairs = []
    for theirs, mine in zip(whole.stack.blocks, ours.stack.blocks, strict=True):
        rank = dist.get_rank()
        for part, expected in (
            (mine.attention.part, shard_attention(theirs.attention, rank, world_size)),
            (mine.feed_forward.part, shard_feed_forward(theirs.feed_forward, rank, world_size)),
            (mine.attention_norm, theirs.attention_norm),
            (mine.feed_forward_norm, theirs.feed_forward_norm),
        ):
            pairs += list(zip(part.parameters(), expected.parameters(), strict=True))
    pairs.append((ours.embedding.weight, whole.embedding.weight))
    moved = (whole.embedding.weight - before.embedding.weight).abs().max().item()
    assert moved > 1e-3, f"the step moved nothing: {moved}"
    compare("every parameter after one step of AdamW", pairs)


def ring(device: torch.device, is_causal: bool = False) -> None:
    """Each rank has a part of the sequence: output, gradients and bytes."""
    randn, world_size, rank = seeded(device), dist.get_world_size(), dist.get_rank()
    whole = [randn(BATCH, 2, LENGTH, HEAD_DIM).requires_grad_() for _ in range(3)]
    probe = randn(BATCH, 2, LENGTH, HEAD_DIM)
    expected, _ = scaled_dot_product_attention(*whole, is_causal=is_causal)
    (expected * probe).sum().backward()
    part_len = LENGTH // world_size
    here = slice(rank * part_len, (rank + 1) * part_len)
    parts = [tensor.detach()[..., here, :].clone().requires_grad_() for tensor in whole]
    output, sent = counted(lambda: ring_attention(*parts, is_causal=is_causal))
    (output * probe[..., here, :]).sum().backward()
    name = "causal ring" if is_causal else "ring"
    compare(f"{name}, output", [(output, expected[..., here, :])])
    pairs: Pairs = [
        (part.grad, cast(torch.Tensor, tensor.grad)[..., here, :])
        for part, tensor in zip(parts, whole, strict=True)
    ]
    compare(f"{name}, gradients", pairs)
    size = 2 * whole[1].numel() * whole[1].element_size()
    say_bytes(f"{name}, forward", ring_bytes(size, world_size), sent, device)
    if is_causal:
        for other in range(world_size):
            met = parts_met(other, world_size, is_causal=True)
            words = " ".join("-" if part is None else str(part) for part in met)
            say(f"rank {other} meets the keys of part: {words}")
        say(f"idle: {idle_share(world_size, is_causal=True):.3f} of all steps of all ranks")


@torch.no_grad()
def real(device: torch.device, weights: str = "trained") -> None:
    """One step of SmolLM2, 135 million parameters, whose 9 heads share 3 key heads."""
    world_size = dist.get_world_size()
    text = "The capital of France is"
    if weights == "trained":
        if dist.get_rank() == 0:  # where it is not there, one fetches it for all
            fetch(SMOLLM2)
        dist.barrier()
        whole: Any
        whole, tokenizer = load_smollm2(device=device)
        tokens, _ = encode(tokenizer, text, device)
    else:
        torch.manual_seed(0)
        settings: dict[str, Any] = {"d_ff": 1536, "num_kv_heads": 3} | LLAMA
        whole = DecoderLM(1000, 576, 9, 2, **settings).to(device)
        tokens = torch.randint(1000, (1, 5)).to(device)
    expected, _ = whole(tokens)
    layers = len(whole.stack.blocks)
    parallelize(whole)  # in place: there is room for one
    (logits, _), sent = counted(lambda: whole(tokens))
    difference = ((logits - expected).abs().max() / expected.abs().max()).item()
    assert difference < 1e-4, f"logits differ by {difference} of the largest"
    assert logits.argmax(-1).equal(expected.argmax(-1)), "other words are written"
    heads = whole.stack.blocks[0].attention
    say(f"query heads of each rank: {heads.num_heads}, key heads: {heads.num_kv_heads}")
    say(f"logits of {len(tokens[0])} tokens: equal to one process, but for rounding")
    if weights == "trained":
        say(f"{text!r} goes on with {tokenizer.decode(logits[0, -1:].argmax(-1).tolist())!r}")
    size = tokens.numel() * 576 * 4
    predicted = 2 * layers * all_reduce_bytes(size, world_size)
    say(f"two sums a layer, {layers} layers, {size:,} bytes each")
    say(f"sent by each rank: {predicted:,.0f} bytes, predicted")
    # Messages are small here, and their headers count.
    assert sent is None or device.type != "cpu" or 0 <= sent - predicted < 2 * layers * 5000


def timed(device: torch.device) -> None:
    """Measure, and print one line of JSON for each: the wire, and a block on this many ranks."""
    world_size = dist.get_world_size()
    for num_bytes in (2**10, 2**14, 2**18, 2**22, 2**24):
        x = torch.ones(num_bytes // 4, device=device)
        ms = median_ms(lambda: dist.all_reduce(x), device)  # noqa: B023
        row: dict[str, Any] = {"what": "all_reduce", "num_bytes": num_bytes, "ms": ms}
        say(json.dumps(row | {"processes": world_size}))
    for d_model, length in ((64, 16), (256, 64), (512, 256), (1024, 512)):
        torch.manual_seed(0)
        block = TransformerBlock(d_model, 8).to(device)
        x = torch.randn(1, length, d_model, device=device)
        ours = parallelize(block)
        with torch.no_grad():
            ms = median_ms(lambda: ours(x, is_causal=True), device)  # noqa: B023
        flop = 2 * length * (12 * d_model**2 + length * d_model * 2)
        row = {"what": "block", "d_model": d_model, "length": length, "gflop": flop / 1e9}
        wire = 2 * all_reduce_bytes(4 * length * d_model, world_size)
        say(json.dumps(row | {"num_bytes": wire, "ms": ms, "processes": world_size}))
    if world_size == 1 and device.type == "cpu":  # what threads add to one process
        for threads in (1, 2, 4):
            torch.set_num_threads(threads)
            with torch.no_grad():
                ms = median_ms(lambda: ours(x, is_causal=True), device)
            row = {"what": "threads", "d_model": d_model, "length": length, "threads": threads}
            say(json.dumps(row | {"ms": ms, "processes": 1}))
        torch.set_num_threads(1)


CASES: dict[str, Callable[..., None]] = {
    "tensor": tensor,
    "dtensor": dtensor,
    "block": block,
    "step": step,
    "ring": ring,
    "ring-causal": partial(ring, is_causal=True),  # where nobody sees the future
    "real": real,
    "time": timed,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="course_lib.parallel", description=__doc__)
    parser.add_argument("cases", nargs="+", choices=CASES, metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--random", action="store_true", help="of real: weights drawn at random")
    given = parser.parse_args()
    with process_group() as device:
        torch.set_num_threads(1)
        for name in given.cases:
            options = {"weights": "random"} if name == "real" and given.random else {}
            CASES[name](device, **options)
