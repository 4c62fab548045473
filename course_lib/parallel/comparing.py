"""What the cases need: equal numbers on every rank, comparisons, and counts of bytes and time."""

import copy
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.parallel.tensor import ParallelAttention, shard_attention
from course_lib.parallel.wire import bytes_written

Pairs = list[tuple[Any, Any]]  # what came out here, and in one process
TOLERANCE = 1e-10  # of the largest number; the cases compute in float64, so rounding is smaller


def say(text: str) -> None:
    if dist.get_rank() == 0:
        print(text, flush=True)


def compare(what: str, pairs: Pairs) -> None:
    """Refuse numbers that differ on any rank; tell it once."""
    assert pairs, f"{what}: nothing to compare"
    for ours, expected in pairs:
        assert ours.shape == expected.shape, f"{what}: {ours.shape} is not {expected.shape}"
        assert expected.abs().max() > 0, f"{what}: all zeros prove nothing"
        difference = ((ours - expected).abs().max() / expected.abs().max()).item()
        assert difference < TOLERANCE, f"{what}: differs by {difference:.1e} of the largest number"
    dist.barrier()
    say(f"{what}: equal to one process, on all {dist.get_world_size()} ranks")


def counted(run: Callable[[], Any]) -> tuple[Any, int | None]:
    """Return what ``run`` returns, and the bytes that this rank sends meanwhile."""
    dist.barrier()
    before = bytes_written()
    result = run()
    after = bytes_written()
    dist.barrier()
    return result, None if before is None or after is None else after - before


def say_bytes(what: str, predicted: float, sent: int | None, device: torch.device) -> None:
    text = f"{what}: {predicted:,.0f} bytes sent by each rank, predicted"
    if sent is None or device.type != "cpu":
        return say(text + "; not counted here")
    ratio = sent / predicted if predicted else 1.0
    assert 0.99 < ratio < 1.05, f"{what}: {sent} bytes counted, {predicted} predicted"
    say(f"{text}; counted: {ratio:.2f} times as many")


def parts_of_gradients(whole: MultiHeadAttention, ours: ParallelAttention) -> Pairs:
    """Our gradients beside those that the whole has for the same heads."""
    with_gradients = copy.deepcopy(whole)
    for name, parameter in whole.named_parameters():
        assert parameter.grad is not None
        with_gradients.get_parameter(name).data = parameter.grad
    expected = shard_attention(with_gradients, dist.get_rank(), dist.get_world_size())
    expected_of = dict(expected.named_parameters())
    return [
        (parameter.grad, expected_of[name])
        for name, parameter in ours.part.named_parameters()
        if name != "k_proj.bias"  # it moves all scores of a row alike: its gradient is rounding
    ]


def seeded(device: torch.device) -> Callable[..., torch.Tensor]:
    """Every rank draws the same numbers."""
    torch.manual_seed(0)
    return lambda *shape: torch.randn(*shape, dtype=torch.float64).to(device)


def with_random_biases_and_norms(module: nn.Module) -> nn.Module:
    """Biases and norms that are not zeros and ones, so that none can be missed."""
    for parameter in module.parameters():
        if parameter.dim() == 1:
            nn.init.normal_(parameter, mean=0.5)
    return module


def median_ms(run: Callable[[], object], device: torch.device) -> float:
    """Return the median of 15 runs, which all ranks begin together, behind two to warm up."""
    durations = []
    for _ in range(17):
        dist.barrier()
        start = time.perf_counter()
        run()
        if device.type == "cuda":
            torch.cuda.synchronize()
        durations.append(1000 * (time.perf_counter() - start))
    return statistics.median(durations[2:])
