"""What each rank does in the tests of several processes: torchrun runs this file, with a name."""

import os
import signal
import sys
import time
from unittest import mock

import pytest
import torch
import torch.distributed as dist

from comparing_modules import close, randomize_biases_and_norms
from course_lib import DecoderLM, MultiHeadAttention, RotaryEmbedding, scaled_dot_product_attention
from course_lib.attention.online_softmax import PartialSoftmax, partial_softmax
from course_lib.parallel import cases, comparing, process_group, ring, ring_attention, tensor
from course_lib.parallel.tensor import ParallelAttention, parallelize


def every_case(device):
    for name in ("tensor", "dtensor", "block", "step", "ring", "ring-causal"):
        cases.CASES[name](device)


def others(device, seed):
    """Settings that no case has, on fresh numbers: all ranks draw the same."""
    comparing.say(f"fresh numbers of seed {seed}")
    torch.manual_seed(int(seed))
    size = dist.get_world_size()
    for heads, key_heads in ((8, 8), (8, 4), (8, 2), (4, 1), (12, 4)):
        for rotary in (None, RotaryEmbedding(4)):
            whole = MultiHeadAttention(
                heads * 4, heads, num_kv_heads=key_heads, rotary=rotary, dtype=torch.float64
            )
            ours = ParallelAttention(randomize_biases_and_norms(whole))
            x = torch.randn(3, 5, heads * 4, dtype=torch.float64)
            key = None if rotary else torch.randn(3, 7, heads * 4, dtype=torch.float64)
            keys = 5 if rotary else 7
            mask = torch.rand(3, 1, 5, keys) < 0.6
            mask[0, 0, 2] = False  # a query that sees nothing
            probe = torch.randn(3, 5, heads * 4, dtype=torch.float64)
            for need_weights in (False, True):
                found = []
                for module in (whole, ours):
                    module.zero_grad()
                    inputs = [
                        tensor.clone().requires_grad_() for tensor in (x, key) if tensor is not None
                    ]
                    output, weights = module(*inputs, mask=mask, need_weights=need_weights)
                    (output * probe).sum().backward()
                    found.append((output, *(tensor.grad for tensor in inputs)))
                for one, other in zip(*found, strict=True):
                    close(one, other)
            gradients = tensor.shard_attention(with_gradients(whole), dist.get_rank(), size)
            for name, parameter in ours.part.named_parameters():
                close(parameter.grad, gradients.get_parameter(name))
            here = heads // size
            _, expected = whole(x, key, mask=mask, need_weights=True)
            close(weights, expected[:, dist.get_rank() * here :][:, :here])
    generation()
    half_precision(device)
    rings()
    twice()
    dist.barrier()
    comparing.say("other settings: equal to one process")


def with_gradients(module):
    """A copy whose weights are the gradients."""
    copied = MultiHeadAttention(
        module.d_model, module.num_heads, num_kv_heads=module.num_kv_heads, dtype=torch.float64
    )
    for name, parameter in module.named_parameters():
        copied.get_parameter(name).data = parameter.grad.clone()
    return copied


def generation():
    model = DecoderLM(11, 32, 8, 2, num_kv_heads=2, positions="rotary", dtype=torch.float64)
    tokens = torch.randint(11, (2, 4))
    expected = model.generate(tokens, 12)
    logits, _ = model(expected)
    parallelize(model)
    close(model(expected)[0], logits)
    caches = model.make_caches(2, 16)
    with torch.no_grad():
        first, _ = model(expected[:, :7], caches=caches)
        rest, _ = model(expected[:, 7:], caches=caches)
    close(torch.cat((first, rest), dim=1), logits)
    assert torch.equal(model.generate(tokens, 12), expected)


def half_precision(device):
    whole = MultiHeadAttention(64, 8, num_kv_heads=2)
    x = torch.randn(2, 9, 64)
    expected, _ = whole(x, is_causal=True)
    output, _ = ParallelAttention(whole.bfloat16())(x.bfloat16(), is_causal=True)
    assert output.dtype == torch.bfloat16
    close(output.float(), expected, 5e-2)
    query, key, value = torch.randn(3, 2, 8, 16).bfloat16().unbind()
    output = ring_attention(query, key, value)
    assert output.dtype == torch.bfloat16


def rings():
    size, rank = dist.get_world_size(), dist.get_rank()
    for is_causal in (False, True):
        for part_len, scale, value_dim in ((3, None, 4), (1, 0.3, 7), (16, None, 2)):
            whole = [torch.randn(2, 3, part_len * size, n, dtype=torch.float64) for n in (4, 4)]
            whole.append(torch.randn(2, 3, part_len * size, value_dim, dtype=torch.float64))
            whole[0] *= 20  # scores so large that exp of them would overflow
            expected, _ = scaled_dot_product_attention(*whole, is_causal=is_causal, scale=scale)
            parts = [tensor[..., rank * part_len :, :][..., :part_len, :] for tensor in whole]
            output = ring_attention(*parts, is_causal=is_causal, scale=scale)
            close(output, expected[..., rank * part_len :, :][..., :part_len, :])
    query, key = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
    keys_seen = []

    def counting(scores, value, mask):
        keys_seen.append(scores.shape[-1])
        return partial_softmax(scores, value, mask)

    with mock.patch.object(ring, "partial_softmax", counting):  # what lies ahead costs nothing
        ring_attention(query, query, query, is_causal=True)
    assert keys_seen == [3] * (rank + 1) + [0] * (size - 1 - rank)
    with pytest.raises(ValueError, match="key must have query's length 3, got 5"):
        ring_attention(query, key, key, is_causal=True)


def twice():
    """Gradients that are added up over two batches: the shared key head is summed once a batch."""
    whole = MultiHeadAttention(16, 4, num_kv_heads=1, dtype=torch.float64)
    ours = ParallelAttention(whole)
    for _ in range(2):
        x = torch.randn(2, 5, 16, dtype=torch.float64)
        for module in (whole, ours):
            module(x)[0].square().sum().backward()
    close(ours.part.k_proj.weight.grad, whole.k_proj.weight.grad)


# --- cases that must notice what is wrong -------------------------------------------------------


def sums_backward_too(ctx, gradient):
    return tensor._all_reduced(gradient)


def added(first, second):
    total, weighted = first.total + second.total, first.weighted + second.weighted
    return PartialSoftmax(torch.maximum(first.maximum, second.maximum), total, weighted)


def columns_with_bias(linear, columns, with_bias):
    bias = linear.bias if with_bias or linear.in_features == cases.D_MODEL else None
    return tensor._linear(linear.weight[:, columns], bias)


def all_keys(length, device):
    return torch.ones(length, length, dtype=torch.bool)


def all_parts(rank, size, is_causal):
    return [(rank - step) % size for step in range(size)]


BACKWARD_TWICE, LOST = staticmethod(sums_backward_too), staticmethod(lambda ctx, *given: given)
SUMS, PASSES_ON, CAUSAL = tensor._SumOverRanks, ring._PassOn, cases.CASES["ring-causal"]
BREAKS = {
    "each rank adds the bias": (cases.tensor, tensor, "_columns", columns_with_bias),
    "no sum forward": (cases.tensor, tensor, "sum_over_ranks", lambda x: x),
    "no sum backward": (cases.tensor, tensor, "copy_to_ranks", lambda x: x),
    "a sum too many backward": (cases.tensor, SUMS, "backward", BACKWARD_TWICE),
    "no sum of key heads": (cases.tensor, ParallelAttention, "_share_gradient", lambda *_: None),
    "the block: each rank adds the bias": (cases.block, tensor, "_columns", columns_with_bias),
    "the block: no sum forward": (cases.block, tensor, "sum_over_ranks", lambda x: x),
    "a step: no sum backward": (cases.step, tensor, "copy_to_ranks", lambda x: x),
    "the ring adds what it should merge": (cases.ring, ring, "merge", added),
    "the ring forgets what it saw": (cases.ring, ring, "merge", lambda first, second: second),
    "too small": (cases.ring, cases, "ring_attention", lambda *x, **_: ring_attention(*x) - 1),
    "gradients do not go back round the ring": (cases.ring, PASSES_ON, "backward", LOST),
    "no mask in the causal ring": (CAUSAL, ring, "causal_mask", all_keys),
    "the future in the causal ring": (CAUSAL, ring, "parts_met", all_parts),
}


def broken(device):
    """Every break is seen by the comparisons of a case, and none without it."""
    refused = []

    def compare(what, pairs):  # a rank that stopped here would leave the others waiting
        try:
            with mock.patch.multiple(cases.dist, barrier=lambda: None):
                real(what, pairs)
        except AssertionError as error:
            refused.append(str(error))

    real = cases.compare
    quiet = {"compare": compare, "say": lambda text: None, "say_bytes": lambda *_: None}
    small = {"BATCH": 2, "LENGTH": 24}  # as much is seen as in the sizes that are timed
    no_words = mock.patch.object(comparing, "say", quiet["say"])
    with mock.patch.multiple(cases, **quiet, **small), no_words:
        for case in dict.fromkeys(case for case, *_ in BREAKS.values()):
            case(device)
            assert not refused, refused
        for name, (case, place, attribute, wrong) in BREAKS.items():
            with mock.patch.object(place, attribute, wrong):
                case(device)
            seen = torch.tensor(float(len(refused)))
            dist.all_reduce(seen)
            assert seen > 0, f"not seen: {name}"
            refused.clear()
    if dist.get_rank() == 0:
        print(f"{len(BREAKS)} breaks seen", flush=True)


def not_divided(device):
    try:
        cases.real(device, "random")
    except ValueError as error:
        comparing.say(str(error))


# --- ranks that fail ----------------------------------------------------------------------------


def failing(device, how):
    """Rank 1 fails between two sums; the others wait for it in the second."""
    x = torch.ones(3, device=device)
    dist.all_reduce(x)
    if dist.get_rank() == 0:
        print("begun", flush=True)
    if dist.get_rank() == 1:
        if how == "raises":
            raise ValueError("broken\n\non purpose") from KeyError("its cause")
        if how == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "waits":
            time.sleep(10_000)
    dist.all_reduce(x)
    print("not reached", flush=True)


TASKS = {task.__name__: task for task in (every_case, others, broken, not_divided, failing)}
TASKS["real"] = cases.real

if __name__ == "__main__":
    with process_group(seconds=500) as here:
        for task in sys.argv[1:]:  # such as others:17, with an argument
            name, *given = task.split(":")
            TASKS[name](here, *given)
