"""The reference attention against torch, a float64 loop and the properties that define it."""

import math
import subprocess
import sys

import pytest
import torch
import torch.nn.functional as F

from course_lib import best_device, causal_mask, scaled_dot_product_attention
from course_lib.attention.masks import masked_softmax

SEEDS = [0, 1, 2]
DEVICES = ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
# Largest difference allowed from the same sum in float64: a few roundings of numbers around 1.
TOLERANCE = {
    torch.float64: 1e-12,
    torch.float32: 1e-5,
    torch.float16: 5e-3,
    torch.bfloat16: 4e-2,
}


@pytest.fixture(params=SEEDS, ids=lambda seed: f"seed{seed}")
def generator(request):
    return torch.Generator().manual_seed(request.param)


def random_qkv(
    generator,
    leading=(2, 3),
    query_len=5,
    key_len=5,
    head_dim=8,
    value_dim=None,
    dtype=torch.float64,
    device="cpu",
):
    """Standard normal inputs: scaled scores have variance 1, far from a saturated softmax."""

    def draw(*shape):
        return torch.randn(*leading, *shape, generator=generator, dtype=torch.float64)

    value_dim = head_dim if value_dim is None else value_dim
    shapes = (query_len, head_dim), (key_len, head_dim), (key_len, value_dim)
    return tuple(draw(*shape).to(device=device, dtype=dtype) for shape in shapes)


def random_mask(generator, *shape):
    """About half the pairs allowed, and each row allows at least key 0."""
    mask = torch.rand(*shape, generator=generator) < 0.5
    mask[..., 0] = True
    return mask


def attention_by_loop(query, key, value, mask=None, scale=None):
    """One query, one key at a time, in Python's own floats. Inputs of two dimensions."""
    query_len, head_dim = query.shape
    key_len, value_dim = value.shape
    scale = 1 / math.sqrt(head_dim) if scale is None else scale
    output = torch.zeros(query_len, value_dim, dtype=torch.float64)
    weights = torch.zeros(query_len, key_len, dtype=torch.float64)
    for i in range(query_len):
        allowed = [j for j in range(key_len) if mask is None or mask[i, j]]
        exps = {
            j: math.exp(scale * sum(float(query[i, d]) * float(key[j, d]) for d in range(head_dim)))
            for j in allowed
        }
        for j in allowed:
            weights[i, j] = exps[j] / sum(exps.values())
            for d in range(value_dim):
                output[i, d] += weights[i, j] * float(value[j, d])
    return output, weights


def assert_close(actual, expected, dtype=None):
    tolerance = TOLERANCE[dtype or actual.dtype]
    torch.testing.assert_close(
        actual.double().cpu(), expected.double().cpu(), rtol=tolerance, atol=tolerance
    )


# --- equal to an independent truth -----------------------------------------------------------


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
@pytest.mark.parametrize("masking", ["none", "mask", "causal"])
def test_equals_torch(generator, dtype, masking, device):
    query, key, value = random_qkv(generator, dtype=dtype, device=device)
    mask = random_mask(generator, 5, 5).to(device) if masking == "mask" else None
    is_causal = masking == "causal"
    output, weights = scaled_dot_product_attention(
        query, key, value, mask=mask, is_causal=is_causal
    )
    expected = F.scaled_dot_product_attention(
        query.double(), key.double(), value.double(), attn_mask=mask, is_causal=is_causal
    )
    assert_close(output, expected, dtype)
    assert output.dtype == weights.dtype == dtype
    assert output.device.type == weights.device.type == device


@pytest.mark.parametrize("query_len, key_len, value_dim", [(4, 6, 3), (6, 4, 5), (1, 5, 1)])
def test_equals_torch_rectangular_with_a_mask(generator, query_len, key_len, value_dim):
    query, key, value = random_qkv(
        generator, query_len=query_len, key_len=key_len, value_dim=value_dim
    )
    mask = random_mask(generator, 2, 3, query_len, key_len)
    output, _ = scaled_dot_product_attention(query, key, value, mask=mask)
    assert output.shape == (2, 3, query_len, value_dim)
    assert_close(output, F.scaled_dot_product_attention(query, key, value, attn_mask=mask))


@pytest.mark.parametrize("scale", [None, 0.3, 1.0])
@pytest.mark.parametrize("masked", [False, True])
def test_equals_a_float64_loop(generator, scale, masked):
    query, key, value = random_qkv(generator, leading=(), query_len=4, key_len=6, value_dim=3)
    mask = random_mask(generator, 4, 6) if masked else None
    if masked:
        mask[2] = False  # the loop leaves an empty row at zero
    output, weights = scaled_dot_product_attention(query, key, value, mask=mask, scale=scale)
    expected_output, expected_weights = attention_by_loop(query, key, value, mask, scale)
    assert_close(output, expected_output)
    assert_close(weights, expected_weights)


def test_scale_is_passed_on_as_torch_understands_it(generator):
    query, key, value = random_qkv(generator)
    output, _ = scaled_dot_product_attention(query, key, value, scale=0.25)
    assert_close(output, F.scaled_dot_product_attention(query, key, value, scale=0.25))


@pytest.mark.parametrize("leading", [(), (2,), (2, 3), (2, 1, 3, 2)], ids=str)
def test_leading_dimensions_are_independent_problems(generator, leading):
    query, key, value = random_qkv(generator, leading=leading, key_len=4)
    output, weights = scaled_dot_product_attention(query, key, value)
    assert output.shape == (*leading, 5, 8)
    assert weights.shape == (*leading, 5, 4)
    flat = (tensor.reshape(-1, *tensor.shape[-2:]) for tensor in (query, key, value, output))
    for q, k, v, out in zip(*flat, strict=True):
        assert_close(out, attention_by_loop(q, k, v)[0])


def test_large_scores_do_not_overflow(generator):
    query, key, value = random_qkv(generator, dtype=torch.float32)
    output, weights = scaled_dot_product_attention(query * 1e3, key * 1e3, value)
    expected = F.scaled_dot_product_attention(
        query.double() * 1e3, key.double() * 1e3, value.double()
    )
    assert weights.isfinite().all()
    assert_close(output, expected, torch.float32)


# --- properties ------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_rows_sum_to_one_and_hold_no_weight_on_masked_keys(generator, dtype):
    query, key, value = random_qkv(generator, key_len=40, dtype=dtype)
    mask = random_mask(generator, 5, 40)
    _, weights = scaled_dot_product_attention(query, key, value, mask=mask)
    ones = torch.ones(2, 3, 5)
    assert_close(weights.double().sum(dim=-1), ones, dtype)
    assert (weights >= 0).all()
    assert (weights[..., ~mask] == 0).all()
    assert (weights[..., mask] > 0).all()


def test_is_permutation_equivariant(generator):
    tokens, _, _ = random_qkv(generator, query_len=7)
    order = torch.randperm(7, generator=generator)
    output, weights = scaled_dot_product_attention(tokens, tokens, tokens)
    shuffled = tokens[..., order, :]
    shuffled_output, shuffled_weights = scaled_dot_product_attention(shuffled, shuffled, shuffled)
    assert_close(shuffled_output, output[..., order, :])
    assert_close(shuffled_weights, weights[..., order, :][..., order])
    assert not torch.allclose(shuffled_output, output)  # equivariant, not invariant


def test_order_of_keys_does_not_matter_to_a_query(generator):
    query, key, value = random_qkv(generator, key_len=6)
    order = torch.randperm(6, generator=generator)
    output, _ = scaled_dot_product_attention(query, key, value)
    shuffled, _ = scaled_dot_product_attention(query, key[..., order, :], value[..., order, :])
    assert_close(shuffled, output)


def test_equal_scores_give_the_mean_of_the_values(generator):
    query, key, value = random_qkv(generator)
    output, weights = scaled_dot_product_attention(query, torch.zeros_like(key), value)
    assert_close(weights, torch.full((2, 3, 5, 5), 0.2, dtype=torch.float64))
    assert_close(output, value.mean(dim=-2, keepdim=True).expand_as(output))


@pytest.mark.parametrize("position", [1, 3, 5])
def test_changing_a_later_token_moves_no_earlier_output(generator, position):
    tokens, _, _ = random_qkv(generator, query_len=6)
    changed = tokens.clone()
    changed[..., position, :] += 1.0
    before, _ = scaled_dot_product_attention(tokens, tokens, tokens, is_causal=True)
    after, _ = scaled_dot_product_attention(changed, changed, changed, is_causal=True)
    torch.testing.assert_close(after[..., :position, :], before[..., :position, :], rtol=0, atol=0)
    moved = (after - before).abs().amax(dim=-1)  # (2, 3, 6)
    assert (moved[..., position:] > 1e-6).all()


def test_a_masked_key_and_its_value_have_no_influence(generator):
    query, key, value = random_qkv(generator)
    mask = torch.ones(5, dtype=torch.bool)
    mask[3] = False
    before, _ = scaled_dot_product_attention(query, key, value, mask=mask)
    key[..., 3, :], value[..., 3, :] = 7.0, -7.0
    after, _ = scaled_dot_product_attention(query, key, value, mask=mask)
    torch.testing.assert_close(after, before, rtol=0, atol=0)


def test_inputs_are_unchanged(generator):
    query, key, value = random_qkv(generator)
    mask = random_mask(generator, 5, 5)
    inputs = query, key, value, mask
    copies = [tensor.clone() for tensor in inputs]
    scaled_dot_product_attention(query, key, value, mask=mask, is_causal=True)
    for tensor, copy in zip(inputs, copies, strict=True):
        assert torch.equal(tensor, copy)


# --- causal ----------------------------------------------------------------------------------


@pytest.mark.parametrize("query_len, key_len", [(1, 6), (2, 6), (5, 6), (6, 6)])
def test_causal_queries_are_the_last_positions(generator, query_len, key_len):
    """The last queries of a full pass, computed alone, as a key-value cache does."""
    query, key, value = random_qkv(generator, query_len=key_len, key_len=key_len)
    full, full_weights = scaled_dot_product_attention(query, key, value, is_causal=True)
    last, last_weights = scaled_dot_product_attention(
        query[..., -query_len:, :], key, value, is_causal=True
    )
    assert_close(last, full[..., -query_len:, :])
    assert_close(last_weights, full_weights[..., -query_len:, :])


def test_causal_with_more_queries_than_keys_leaves_the_first_ones_empty(generator):
    query, key, value = random_qkv(generator, query_len=5, key_len=3)
    output, weights = scaled_dot_product_attention(query, key, value, is_causal=True)
    assert (output[..., :2, :] == 0).all()
    assert_close(weights.sum(dim=-1), torch.tensor([0.0, 0, 1, 1, 1]).expand(2, 3, 5))


def test_causal_and_mask_must_both_allow(generator):
    query, key, value = random_qkv(generator)
    mask = random_mask(generator, 5, 5)
    output, weights = scaled_dot_product_attention(query, key, value, mask=mask, is_causal=True)
    both = mask & (torch.arange(5) <= torch.arange(5)[:, None])
    assert torch.equal(weights > 0, both.expand_as(weights))
    assert_close(output, F.scaled_dot_product_attention(query, key, value, attn_mask=both))


@pytest.mark.parametrize("query_len, key_len", [(4, 4), (2, 5), (5, 2), (1, 1), (0, 3), (3, 0)])
def test_causal_mask_pair_by_pair(query_len, key_len):
    mask = causal_mask(query_len, key_len)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [
        [j <= i + key_len - query_len for j in range(key_len)] for i in range(query_len)
    ]
    if query_len == key_len:
        assert torch.equal(mask, causal_mask(query_len))


@pytest.mark.parametrize(
    "lengths, name", [((-1, 2), "query_len"), ((2, -1), "key_len"), ((-2,), "query_len")]
)
def test_causal_mask_refuses_negative_lengths(lengths, name):
    with pytest.raises(ValueError, match=rf"^{name} must be 0 or more, got -"):
        causal_mask(*lengths)


# --- masks of every shape --------------------------------------------------------------------


@pytest.mark.parametrize(
    "shape",
    [(), (1,), (6,), (1, 6), (4, 1), (4, 6), (1, 3, 4, 6), (2, 1, 1, 6), (2, 3, 4, 6)],
    ids=str,
)
def test_mask_of_each_shape_that_broadcasts(generator, shape):
    query, key, value = random_qkv(generator, query_len=4, key_len=6)
    mask = torch.rand(shape, generator=generator) < 0.5
    output, weights = scaled_dot_product_attention(query, key, value, mask=mask)
    allowed = mask.expand(2, 3, 4, 6)
    assert torch.equal(weights > 0, allowed)
    for index in [(0, 0), (1, 2)]:
        expected, _ = attention_by_loop(query[index], key[index], value[index], allowed[index])
        assert_close(output[index], expected)


@pytest.mark.parametrize(
    "shape", [(5,), (4,), (6, 4), (4, 5), (2, 3, 1, 4, 6), (1, 2, 3, 4, 6)], ids=str
)
def test_mask_that_does_not_broadcast_is_refused(generator, shape):
    query, key, value = random_qkv(generator, query_len=4, key_len=6)
    with pytest.raises(ValueError) as error:
        scaled_dot_product_attention(query, key, value, mask=torch.ones(shape, dtype=torch.bool))
    assert str(error.value) == (
        f"mask must broadcast to the scores' shape (2, 3, 4, 6), got {shape}"
    )


# --- nothing to attend to, and gradients -----------------------------------------------------


@pytest.mark.filterwarnings("ignore:Anomaly Detection")  # it warns that it is slow
@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_empty_rows_are_zero_with_finite_gradients(generator, dtype):
    inputs = [tensor.requires_grad_() for tensor in random_qkv(generator, dtype=dtype)]
    mask = random_mask(generator, 5, 5)
    mask[1] = mask[4] = False
    with torch.autograd.detect_anomaly(check_nan=True):
        output, weights = scaled_dot_product_attention(*inputs, mask=mask)
        (output.square().sum() + weights.square().sum()).backward()
    assert (output[..., [1, 4], :] == 0).all()
    assert (weights[..., [1, 4], :] == 0).all()
    for tensor in inputs:
        assert tensor.grad.isfinite().all()
        assert tensor.grad.abs().sum() > 0
    query = inputs[0]
    assert (query.grad[..., [1, 4], :] == 0).all()  # an empty row does not depend on its query


@pytest.mark.parametrize("masking", ["none", "mask", "empty row", "causal"])
def test_gradients_by_finite_differences(generator, masking):
    inputs = [
        tensor.requires_grad_()
        for tensor in random_qkv(generator, leading=(2,), query_len=3, key_len=4, head_dim=3)
    ]
    mask = random_mask(generator, 3, 4) if masking in ("mask", "empty row") else None
    if masking == "empty row":
        mask[1] = False

    def attention(query, key, value):
        return scaled_dot_product_attention(
            query, key, value, mask=mask, is_causal=masking == "causal"
        )

    assert torch.autograd.gradcheck(attention, inputs)


@pytest.mark.parametrize("with_mask", [False, True])
def test_zero_keys_give_zeros(generator, with_mask):
    inputs = [tensor.requires_grad_() for tensor in random_qkv(generator, key_len=0)]
    mask = torch.ones(5, 0, dtype=torch.bool) if with_mask else None
    output, weights = scaled_dot_product_attention(*inputs, mask=mask)
    assert weights.shape == (2, 3, 5, 0)
    assert torch.equal(output, torch.zeros(2, 3, 5, 8, dtype=torch.float64))
    output.sum().backward()
    assert (inputs[0].grad == 0).all()


def test_zero_queries_give_an_empty_output(generator):
    output, weights = scaled_dot_product_attention(*random_qkv(generator, query_len=0))
    assert output.shape == (2, 3, 0, 8)
    assert weights.shape == (2, 3, 0, 5)


# --- masked_softmax --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", TOLERANCE, ids=str)
def test_masked_softmax_is_the_softmax_of_the_allowed_scores(generator, dtype):
    scores = torch.randn(4, 6, generator=generator, dtype=torch.float64).to(dtype)
    mask = random_mask(generator, 4, 6)
    mask[2] = False
    weights = masked_softmax(scores, mask)
    assert weights.dtype == dtype
    for row_weights, row_scores, row_mask in zip(weights, scores, mask, strict=True):
        expected = torch.zeros(6, dtype=torch.float64)
        expected[row_mask] = row_scores[row_mask].double().softmax(dim=0)
        assert_close(row_weights, expected, dtype)


def test_masked_softmax_without_a_mask_is_softmax(generator):
    scores = torch.randn(2, 4, 6, generator=generator, dtype=torch.float64)
    assert_close(masked_softmax(scores, None), scores.exp() / scores.exp().sum(-1, keepdim=True))


def test_masked_softmax_leaves_its_input_unchanged(generator):
    scores = torch.randn(4, 6, generator=generator)
    before = scores.clone()
    masked_softmax(scores, random_mask(generator, 4, 6))
    assert torch.equal(scores, before)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_masked_softmax_sums_half_precision_in_float32(dtype):
    """A sum of 4096 ones stops growing at 2048 in float16 and at 256 in bfloat16."""
    weights = masked_softmax(torch.zeros(1, 4096, dtype=dtype), None)
    assert weights.unique().item() == 1 / 4096


# --- errors ----------------------------------------------------------------------------------

GOOD = {"query": torch.zeros(2, 4, 8), "key": torch.zeros(2, 6, 8), "value": torch.zeros(2, 6, 3)}
BAD_INPUTS = [
    ({"query": [[1.0]]}, TypeError, "query must be a torch.Tensor, got list"),
    ({"key": None}, TypeError, "key must be a torch.Tensor, got NoneType"),
    ({"value": 1.0}, TypeError, "value must be a torch.Tensor, got float"),
    (
        {"query": torch.zeros(2, 4, 8, dtype=torch.int64)},
        TypeError,
        "query must have a floating dtype, got torch.int64",
    ),
    (
        {"value": torch.zeros(2, 6, 3, dtype=torch.bool)},
        TypeError,
        "value must have a floating dtype, got torch.bool",
    ),
    (
        {"query": torch.zeros(8)},
        ValueError,
        "query must have at least 2 dimensions (length, features), got shape (8,)",
    ),
    (
        {"key": torch.zeros(())},
        ValueError,
        "key must have at least 2 dimensions (length, features), got shape ()",
    ),
    (
        {"key": torch.zeros(2, 6, 8, dtype=torch.float64)},
        TypeError,
        "key must have query's dtype torch.float32, got torch.float64",
    ),
    (
        {"value": torch.zeros(2, 6, 3, dtype=torch.float16)},
        TypeError,
        "value must have query's dtype torch.float32, got torch.float16",
    ),
    (
        {"key": torch.zeros(2, 6, 8, device="meta")},
        ValueError,
        "key must be on query's device cpu, got meta",
    ),
    (
        {"key": torch.zeros(1, 6, 8)},
        ValueError,
        "key must have query's leading dimensions (2,), got (1,)",
    ),
    (
        {"value": torch.zeros(6, 3)},
        ValueError,
        "value must have query's leading dimensions (2,), got ()",
    ),
    (
        {"query": torch.zeros(2, 4, 0), "key": torch.zeros(2, 6, 0)},
        ValueError,
        "query must have head_dim of at least 1, got 0",
    ),
    ({"key": torch.zeros(2, 6, 7)}, ValueError, "key must have query's head_dim 8, got 7"),
    ({"value": torch.zeros(2, 5, 3)}, ValueError, "value must have key's length 6, got 5"),
    ({"mask": [[True]]}, TypeError, "mask must be a torch.Tensor, got list"),
    (
        {"mask": torch.zeros(4, 6)},
        TypeError,
        "mask must be boolean with True = may attend, got torch.float32",
    ),
    (
        {"mask": torch.ones(4, 6, dtype=torch.uint8)},
        TypeError,
        "mask must be boolean with True = may attend, got torch.uint8",
    ),
    (
        {"mask": torch.ones(4, 6, dtype=torch.bool, device="meta")},
        ValueError,
        "mask must be on the device cpu, got meta",
    ),
]


@pytest.mark.parametrize(
    "changes, error_type, message", BAD_INPUTS, ids=[m for *_, m in BAD_INPUTS]
)
def test_bad_input_is_named(changes, error_type, message):
    scaled_dot_product_attention(**GOOD)  # good until it is changed
    with pytest.raises(error_type) as error:
        scaled_dot_product_attention(**GOOD | changes)
    assert str(error.value) == message


@pytest.mark.parametrize("scale", [torch.ones(8), torch.ones(2, 4, 1), "1", [1.0]], ids=str)
def test_scale_that_is_no_number_is_refused(scale):
    """A tensor would broadcast over the features in silence."""
    with pytest.raises(TypeError, match="^scale must be"):
        scaled_dot_product_attention(**GOOD, scale=scale)


# --- the package -----------------------------------------------------------------------------


def test_best_device_is_cuda_exactly_when_there_is_one(monkeypatch):
    for available, expected in [(True, "cuda"), (False, "cpu")]:
        monkeypatch.setattr(torch.cuda, "is_available", lambda available=available: available)
        assert best_device() == torch.device(expected)


def test_importing_the_package_imports_no_plotting_and_no_widgets():
    """tqdm comes with torch in some versions, so what torch imports does not count."""
    code = (
        "import sys, torch\n"
        "before = set(sys.modules)\n"
        "import course_lib\n"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    imported = set(done.stdout.split())
    assert "course_lib" in imported
    assert imported.isdisjoint(
        {"matplotlib", "seaborn", "pandas", "ipywidgets", "anywidget", "tqdm", "IPython"}
    )
