"""The library on a device that is not the CPU: all of it stays there, with the same numbers.

On a GPU also in half precision, whichever kernel torch chooses there.
"""

import copy
import ctypes
import functools
import os
import random
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import course_checks as checks
from course_lib import DecoderLM, EncoderDecoder, MultiHeadAttention, RotaryEmbedding, window_mask
from course_lib.attention.delta_rule import DeltaAttention, delta_rule_chunks
from course_lib.attention.latent import LatentAttention
from course_lib.attention.linear import LinearAttention, linear_attention_chunks
from course_lib.attention.masks import causal_mask, combine_masks, masked_softmax, padding_mask
from course_lib.attention.online_softmax import merge, partial_softmax
from course_lib.attention.single_head import SingleHead
from course_lib.attention.sinks import attention_with_sink, sigmoid_attention
from course_lib.attention.states import StateCache
from course_lib.attention.tiled import tiled_attention
from course_lib.attention.windows import WindowCache
from course_lib.data.checkpoints import load_checkpoint
from course_lib.data.real_model import encode, read_gguf
from course_lib.figures import attention_heatmap, head_grid
from course_lib.model.block import TransformerBlock
from course_lib.parallel import run_processes
from course_lib.study import ablation, circuits, head_outputs, heads, patching
from course_lib.widgets import AttentionExplorer
from reference_attention import reference_attention
from small_gguf import small_llama, write_gguf
from tools.notebooks.notebook_files import ROOT

needs_cuda = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="no CUDA device here, and no other can stand in"
)

# Long enough for the kernels of a GPU to differ; the pretend device has only one.
LENGTHS = [(64, 64), (192, 192), (1, 77), (33, 77)]
LENGTHS = LENGTHS if torch.cuda.is_available() else [(8, 8), (12, 12), (1, 9), (5, 9)]
TOLERANCES = {torch.float32: 1e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}


def masks(query_len, key_len):
    empty_row = torch.rand(2, 1, query_len, key_len) < 0.6
    empty_row[0, 0, query_len // 2] = False
    return {
        "none": None,
        "causal": causal_mask(query_len, key_len),
        "padding": padding_mask([key_len, key_len // 2], key_len),
        "empty row": empty_row,
    }


@pytest.mark.parametrize("dtype", TOLERANCES)
@pytest.mark.parametrize("num_kv_heads", [8, 2])
@pytest.mark.parametrize("mask_name", ["none", "causal", "padding", "empty row"])
@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("is_causal", [False, True])
def test_both_paths_match_float64(device, dtype, num_kv_heads, mask_name, lengths, is_causal):
    query_len, key_len = lengths
    module = MultiHeadAttention(128, 8, num_kv_heads=num_kv_heads).to(device, dtype)
    query = torch.randn(2, query_len, 128, dtype=dtype)
    key = torch.randn(2, key_len, 128, dtype=dtype)
    mask = masks(query_len, key_len)[mask_name]
    expected, expected_weights = reference_attention(module.cpu(), query, key, key, mask, is_causal)
    module.to(device)
    probe = torch.randn(2, query_len, 128, device=device)
    gradients = []
    for need_weights in (False, True):
        inputs = [query.to(device).requires_grad_(), key.to(device).requires_grad_()]
        output, weights = module(
            *inputs,
            mask=None if mask is None else mask.to(device),
            is_causal=is_causal,
            need_weights=need_weights,
        )
        assert output.device.type == device.type and output.dtype == dtype
        tolerance = {"atol": TOLERANCES[dtype], "rtol": TOLERANCES[dtype]}
        torch.testing.assert_close(output.double().cpu(), expected, **tolerance)
        if need_weights:
            torch.testing.assert_close(weights.double().cpu(), expected_weights, **tolerance)
        gradients.append(torch.autograd.grad((output * probe).sum(), inputs))
    for fused, shown in zip(*gradients, strict=True):
        assert fused.isfinite().all() and shown.isfinite().all()
        scale = shown.abs().max().item()
        torch.testing.assert_close(fused, shown, atol=scale * 10 * TOLERANCES[dtype], rtol=0.05)


@needs_cuda
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_autocast(dtype):
    module = MultiHeadAttention(64, 4, rotary=RotaryEmbedding(16)).to("cuda")
    x, mask = torch.randn(2, 40, 64, device="cuda"), padding_mask([40, 7], 40, device="cuda")
    expected, _ = module(x, mask=mask)
    for need_weights in (False, True):
        with torch.autocast("cuda", dtype=dtype):
            output, _ = module(x, mask=mask, need_weights=need_weights)
        assert output.dtype == dtype
        torch.testing.assert_close(output.float(), expected, atol=4e-2, rtol=4e-2)


@needs_cuda
def test_long_sequences_take_no_quadratic_memory():
    """At 16384 tokens the weights of 8 heads would take 8 GiB in float32, in half of that 4."""
    module = MultiHeadAttention(512, 8).to("cuda", torch.bfloat16)
    x = torch.randn(1, 16384, 512, device="cuda", dtype=torch.bfloat16)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    module(x, is_causal=True)[0].sum().backward()
    assert torch.cuda.max_memory_allocated() - before < 2**30


@needs_cuda
def test_one_process_for_one_gpu_talks_over_nccl_without_a_warning(capfd):
    cases = ["tensor", "dtensor", "block", "step", "ring", "ring-causal"]
    printed = run_processes(["-m", "course_lib.parallel", *cases], 1)
    assert printed.count("equal to one process, on all 1 ranks") == 16
    assert printed.count("not counted here") == 8  # what NCCL sends passes no file
    assert capfd.readouterr().err == ""


def nccl_version():
    """Of the library that this process has loaded, such as 23102; 0 where there is none."""
    try:
        version = ctypes.c_int()
        ctypes.CDLL("libnccl.so.2").ncclGetVersion(ctypes.byref(version))
    except OSError:
        return 0
    return version.value


@needs_cuda
@pytest.mark.skipif(nccl_version() < 23000, reason="before 2.30, NCCL wants a GPU for each process")
def test_processes_that_share_a_gpu_over_nccl_equal_one(monkeypatch):
    monkeypatch.setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["tests", os.environ.get("PYTHONPATH", "")]))
    monkeypatch.chdir(ROOT)
    ranks, seed = str(Path(__file__).with_name("nccl_ranks.py")), random.randrange(2**31)
    cases = ["tensor", "dtensor", "block", "step", "ring", "ring-causal", f"others:{seed}"]
    printed = run_processes([ranks, *cases], 4)
    assert printed.count("equal to one process, on all 4 ranks") == 16, seed
    assert run_processes([ranks, "broken"], 2) == "12 breaks seen\n"


# --- the same as on the CPU --------------------------------------------------------------------


def draw(*shape):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


def moved(value, device):
    """The value with its tensors on the device, and what it knows of devices with them."""
    if isinstance(value, torch.Tensor):
        return value.to(device)
    if isinstance(value, tuple | list):
        return type(value)(moved(item, device) for item in value)
    return value


def assert_same(there, on_cpu, device):
    """The same numbers, and each of them on the device."""
    if isinstance(on_cpu, torch.Tensor):
        assert there.device.type == device.type
        # A table of sinusoids is made in float32, where a GPU's sine is another in the last bit.
        close = {"atol": 1e-6, "rtol": 1e-6} if on_cpu.dtype == torch.float64 else {}
        torch.testing.assert_close(there.cpu(), on_cpu, **close)
    elif isinstance(on_cpu, tuple | list):
        for ours, expected in zip(there, on_cpu, strict=True):
            assert_same(ours, expected, device)
    else:
        assert there == on_cpu


CAUSAL, PADDING = causal_mask(6), padding_mask([6, 4], 6)
MASKED = {"mask": PADDING, "is_causal": True}
TODAY = {"norm": "rms", "activation": "silu", "gated": True, "bias": False}
TOKENS = torch.randint(9, (2, 6), generator=torch.Generator().manual_seed(0))
# A module, its inputs, and options of its call.
MODULES = {
    "one head": (SingleHead(8, 4), (draw(2, 6, 8),), {"is_causal": True}),
    "heads, weights": (MultiHeadAttention(8, 2), (draw(2, 6, 8),), MASKED | {"need_weights": True}),
    "latent attention": (
        LatentAttention(8, 2, 3, rotary=RotaryEmbedding(2)),
        (draw(2, 6, 8),),
        MASKED | {"need_weights": True},
    ),
    "linear attention": (LinearAttention(8, 2, key_dim=3), (draw(2, 6, 8),), {}),
    "delta rule with decay": (DeltaAttention(8, 2, decay=True), (draw(2, 6, 8),), {}),
    "rotary interleaved": (RotaryEmbedding(8, pairing="interleaved"), (draw(2, 6, 8), 3), {}),
    "block of today": (
        TransformerBlock(8, 4, num_kv_heads=2, rotary=RotaryEmbedding(2), **TODAY),
        (draw(2, 6, 8),),
        MASKED,
    ),
    "encoder and decoder": (
        EncoderDecoder(9, 9, 8, 2, 2, positions="learned", max_len=6),
        (TOKENS, TOKENS[:, :4]),
        {"source_mask": PADDING, "target_mask": padding_mask([4, 2], 4)},
    ),
} | {
    f"language model, {positions} positions": (
        DecoderLM(9, 8, 2, 2, max_len=8, positions=positions, tie_embeddings=positions == "none"),
        (TOKENS,),
        {"need_weights": True},
    )
    for positions in ("learned", "sinusoidal", "rotary", "none")
}


def outputs_and_gradients(module, inputs, options):
    """All tensors that a call gives, and the gradients of their sum."""
    inputs = [x.requires_grad_(x.is_floating_point()) if torch.is_tensor(x) else x for x in inputs]
    found = [output for output in flat(module(*inputs, **options)) if torch.is_tensor(output)]
    sources = [x for x in (*inputs, *module.parameters()) if torch.is_tensor(x) and x.requires_grad]
    loss = sum((output * output.cos()).sum() for output in found)
    return found, torch.autograd.grad(loss, sources)


def flat(value):
    is_many = type(value) in (tuple, list)
    return [item for part in value for item in flat(part)] if is_many else [value]


@pytest.mark.parametrize("name", MODULES)
def test_forward_and_backward(device, name):
    module, inputs, options = copy.deepcopy(MODULES[name])
    module.double()
    on_cpu = outputs_and_gradients(module, inputs, options)
    there = outputs_and_gradients(
        copy.deepcopy(module).to(device),
        moved([x.detach() if torch.is_tensor(x) else x for x in inputs], device),
        {key: moved(value, device) for key, value in options.items()},
    )
    assert on_cpu[0] and all(output.isfinite().all() for output in on_cpu[0])
    assert_same(there, on_cpu, device)


SCORES, WEIGHTS = draw(2, 3, 6, 6), draw(2, 3, 6, 6).softmax(dim=-1)
DELTA = (
    *(F.normalize(draw(2, 3, 6, 8), dim=-1) for _ in range(3)),
    *(draw(2, 3, 6).sigmoid() for _ in range(2)),
)
FUNCTIONS = {
    "combine_masks": (combine_masks, (CAUSAL, None, PADDING)),
    "padding_mask": (padding_mask, (torch.tensor([6, 0, 3]), 6)),
    "masked_softmax": (masked_softmax, (SCORES, CAUSAL & PADDING & (torch.arange(6) > 0))),
    "parts merged, one without a key": (
        lambda scores, value: merge(
            partial_softmax(scores[..., :0], value[..., :0, :]), partial_softmax(scores, value)
        ),
        (SCORES, draw(2, 3, 6, 4)),
    ),
    "tiles": (
        lambda *x: tiled_attention(*x[:3], mask=x[3], is_causal=True, block_len=4),
        (*(draw(2, 1, 6, 8),) * 3, PADDING),
    ),
    "sink": (attention_with_sink, (*(draw(2, 3, 6, 8),) * 3, draw(3))),
    "sigmoids": (sigmoid_attention, (*(draw(2, 3, 6, 8),) * 3, draw(3))),
    "linear attention in chunks": (
        lambda *x: tuple(linear_attention_chunks(*x, chunk_len=4)[1]),
        (draw(2, 3, 6, 8),) * 3,
    ),
    "delta rule in chunks": (lambda *x: delta_rule_chunks(*x, chunk_len=4), DELTA),
    "entropy": (heads.attention_entropy, (WEIGHTS,)),
    "previous_token_score": (heads.previous_token_score, (WEIGHTS,)),
    "induction_score": (heads.induction_score, (WEIGHTS, TOKENS % 3)),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(device, name):
    function, inputs = FUNCTIONS[name]
    assert_same(function(*moved(inputs, device)), function(*inputs), device)


@torch.no_grad()
@pytest.mark.parametrize("absorb", [None, False, True])
def test_a_cache_of_latents_gives_what_the_whole_sequence_gives(device, absorb):
    module = LatentAttention(8, 2, 3, rotary=RotaryEmbedding(2)).double()
    x = draw(2, 6, 8)
    expected, _ = module(x, is_causal=True)
    module, x = module.to(device), x.to(device)
    options = {"is_causal": True, "cache": module.make_cache(2, 6), "absorb": absorb}
    parts = [module(part, **options)[0] for part in x.split([3, 1, 2], dim=1)]
    assert_same(torch.cat(parts, dim=1), expected, device)


@torch.no_grad()
def test_a_cache_that_does_not_grow(device):
    attention, x = MultiHeadAttention(8, 4, rotary=RotaryEmbedding(2)).double(), draw(2, 6, 8)
    window, _ = attention(x, mask=window_mask(6, window=2, sinks=1))
    layer = DeltaAttention(8, 2, decay=True, dtype=torch.float64)
    delta, _ = layer(x)
    attention, layer, x = attention.to(device), layer.to(device), x.to(device)
    cache = WindowCache(2, 4, 2, 2, sinks=1, device=device, dtype=torch.float64)
    for expected, module, kept in ((window, attention, cache), (delta, layer, StateCache())):
        steps = [module(step, is_causal=True, cache=kept)[0] for step in x.split(1, dim=1)]
        assert_same(torch.cat(steps, dim=1), expected, device)


def test_sampling_draws_from_the_devices_random_state(device):
    model, tokens = DecoderLM(50, 8, 2, 1, max_len=40).to(device), TOKENS.to(device)
    before = torch.get_rng_state()
    torch.manual_seed(0)
    after_seed = torch.get_rng_state()
    first, second = (model.generate(tokens, 30, temperature=1.0, top_k=40) for _ in range(2))
    assert torch.equal(torch.get_rng_state(), after_seed) and not torch.equal(first, second)
    torch.manual_seed(0)
    assert torch.equal(model.generate(tokens, 30, temperature=1.0, top_k=40), first)
    torch.set_rng_state(before)
    with pytest.raises(RuntimeError, match=f"Expected a '{device.type}' device type for generator"):
        model.generate(tokens, 3, temperature=1.0, generator=torch.Generator())


def seeded():
    return torch.Generator().manual_seed(0)


def writing_from_a_source(device):
    model = EncoderDecoder(9, 9, 8, 2, 2).double().to(device)
    options = {"source_mask": PADDING.to(device), "start": 1, "end": 3}
    source = TOKENS.to(device)
    return tuple(model.generate(source, 7, use_cache=use, **options) for use in (True, False))


def a_head_at_its_mean(device):
    attention, x = MultiHeadAttention(8, 2).double().to(device), draw(2, 6, 8).to(device)
    means = head_outputs.mean_head_outputs([attention], lambda: attention(x[:1]))
    with head_outputs.ablate_heads({attention: [1]}, means):
        return attention(x)[0]


def circuits_of_a_head(device, gains=True):
    attention = MultiHeadAttention(8, 4, num_kv_heads=2, rotary=RotaryEmbedding(2))
    norm = nn.LayerNorm(8, elementwise_affine=gains, dtype=torch.float64).to(device)
    attention.double().to(device)
    qk = circuits.qk_circuit(attention, 1, norm=norm, distance=3)
    written = circuits.ov_circuit(attention, 2, norm=norm)
    scores = circuits.composition_scores(attention, attention)
    chance = circuits.random_composition(qk, written, 3, generator=seeded())
    return qk, written, *scores.values(), chance, round(circuits.copying_score(written), 5)


def a_checkpoint(device):
    return load_checkpoint("induction", device)(torch.arange(10, device=device)[None])[0]


def a_head_and_a_path_patched(device):
    model = DecoderLM(7, 8, 2, 2, positions="rotary", dtype=torch.float64).eval().to(device)
    tokens, other = torch.randint(7, (2, 3, 6), generator=seeded())
    says = ablation.outputs_on(model, other)
    path = patching.patch_paths(model, tokens, [(0, 1)], [(1, 0, "key")], says)
    return torch.stack((ablation.run(model, tokens, [(0, 1)], says)[0], path)).to(device)


@torch.no_grad()
@pytest.mark.parametrize(
    "compute",
    [
        *(writing_from_a_source, a_head_at_its_mean, a_checkpoint, a_head_and_a_path_patched),
        *(circuits_of_a_head, functools.partial(circuits_of_a_head, gains=False)),
    ],
)
def test_what_is_made_on_the_device_is_what_is_made_on_the_cpu(device, compute):
    torch.manual_seed(0)
    expected = compute(torch.device("cpu"))
    torch.manual_seed(0)
    assert_same(compute(device), expected, device)


@torch.no_grad()
def test_a_model_of_a_gguf_file(device, tmp_path):
    path = write_gguf(tmp_path / "small.gguf", small_llama())
    (expected, tokenizer), (model, _) = read_gguf(path), read_gguf(path, device=device)
    tokens, _ = encode(tokenizer, "the heads", device)
    assert tokens.device.type == device.type
    assert_same(model(tokens)[0], expected(tokens.cpu())[0], device)


def test_pictures_and_widgets_take_tensors_of_the_device(device):
    weights, words = WEIGHTS[0].to(device), ["the", "cat", "sat", "on", "a", "mat"]
    attention_heatmap(weights[0], words)
    head_grid(weights, words)
    AttentionExplorer(SCORES[0].to(device), words, SCORES[0].to(device))
    AttentionExplorer.from_weights(weights, words)


# --- checks of a function that makes its own tensors -------------------------------------------


def answering(name, change):
    """The right function of an exercise, with the tensors of its answer changed."""
    reference = checks.ALL[name].exercise.reference

    def changed(value):
        if isinstance(value, tuple | list):
            return type(value)(map(changed, value))
        return change(value) if torch.is_tensor(value) else value

    def answer(*args, **options):
        return changed(reference(*args, **options))

    return functools.wraps(reference)(answer)


@pytest.mark.parametrize("name", checks.ALL)
def test_a_right_answer_that_went_to_the_device(device, name):
    """Where the answer is tensors, the check says where they should be; where not, all is well."""
    result = checks.ALL[name](answering(name, lambda tensor: tensor.to(device)))
    gives_tensors = checks.ALL[name].exercise.kind == "tensor"
    if checks.ALL[name].exercise.observe:  # of which some compute with the answer
        assert result.status == "pass" or "device" in str(result)
    else:
        assert (result.status == "wrong") == gives_tensors, str(result)
        assert ("the answer should stay there" in str(result)) == gives_tensors


WAYS_OUT = [  # both devices in one step, and a tensor of the device for NumPy
    lambda tensor, device: tensor * torch.ones(tensor.shape, device=device),
    lambda tensor, device: torch.from_numpy(tensor.to(device).numpy()),
]


@pytest.mark.parametrize("leave", WAYS_OUT)
@pytest.mark.parametrize("name", ["causal_mask", "stable_softmax", "rotary", "layer_norm"])
def test_a_function_that_mixes_devices(device, name, leave):
    result = checks.ALL[name](answering(name, lambda tensor: leave(tensor, device)))
    assert result.status == "error"
    assert "All tensors of one step must be on the device of the inputs." in str(result)


@pytest.mark.parametrize("name", ["MyHead", "MyHeads", "MyMultiHead", "MyAttention"])
def test_the_classes_that_students_carry_on_may_be_moved(device, name):
    torch.manual_seed(0)
    module, x = checks.ALL[name].exercise.reference(8, 2).eval(), torch.randn(2, 5, 8)
    mask = torch.ones(5, 5, dtype=torch.bool)
    mask[1] = False
    ways = [{}, {"is_causal": True}, {"mask": mask}] if name == "MyAttention" else [{}]
    for options in ways:
        moved = {k: v.to(device) if torch.is_tensor(v) else v for k, v in options.items()}
        there = copy.deepcopy(module).to(device)(x.to(device), **moved)
        for part, right in zip(there, module(x, **options), strict=True):
            assert part.device.type == device.type
            torch.testing.assert_close(part.cpu(), right)
