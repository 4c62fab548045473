"""The circuits of heads: what they predict of a layer, and how two of them compose."""

import math
import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_lib import MultiHeadAttention, RotaryEmbedding
from course_lib.study.circuits import (
    composition_score,
    composition_scores,
    copying_score,
    linear_part,
    ov_circuit,
    qk_circuit,
    random_composition,
)
from reference_attention import PROPERTY

SIZES = st.sampled_from([(1, 1, 4), (2, 1, 4), (2, 2, 6), (4, 2, 8), (6, 3, 12), (4, 1, 8)])


def layer(num_heads, num_kv_heads, d_model, seed=0, **options):
    torch.manual_seed(seed)
    sizes = {"num_kv_heads": num_kv_heads, "dtype": torch.float64}
    attention = MultiHeadAttention(d_model, num_heads, **sizes, **options)
    for projection in attention.children():
        if getattr(projection, "bias", None) is not None:
            nn.init.normal_(projection.bias)
    return attention


def without_biases(attention):
    for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
        nn.init.zeros_(getattr(attention, name).bias)
    return attention


def vectors(*shape):
    return torch.randn(*shape, dtype=torch.float64)


@PROPERTY
@given(sizes=SIZES, seed=st.integers(0, 3))
def test_the_circuits_are_all_that_a_layer_without_biases_does(sizes, seed):
    attention = without_biases(layer(*sizes, seed=seed))
    x = vectors(5, sizes[2])
    expected, expected_weights = attention(x[None], need_weights=True)
    output = torch.zeros_like(x)
    for head in range(sizes[0]):
        scores = x @ qk_circuit(attention, head) @ x.T / math.sqrt(attention.head_dim)
        weights = scores.softmax(dim=-1)
        torch.testing.assert_close(weights, expected_weights[0, head])
        output += weights @ x @ ov_circuit(attention, head).T
        assert torch.equal(
            qk_circuit(attention, head, distance=5), qk_circuit(attention, head)
        )  # without rotary positions
    torch.testing.assert_close(output, expected[0])


@pytest.mark.parametrize("pairing", ["halves", "interleaved"])
@pytest.mark.parametrize("num_kv_heads", [1, 2])
def test_with_rotary_positions_each_distance_has_its_circuit(pairing, num_kv_heads):
    rotary = RotaryEmbedding(4, pairing=pairing)
    attention = without_biases(layer(2, num_kv_heads, 8, rotary=rotary))
    x = vectors(6, 8)
    query = rotary(attention.q_proj(x).view(6, 2, 4).transpose(0, 1))  # (2, 6, 4)
    key = rotary(attention.k_proj(x).view(6, num_kv_heads, 4).transpose(0, 1))
    for head in range(2):
        expected = query[head] @ key[head if num_kv_heads == 2 else 0].T
        for i in range(6):
            for j in range(i + 1):
                circuit = qk_circuit(attention, head, distance=i - j)
                torch.testing.assert_close(x[i] @ circuit @ x[j], expected[i, j])
        assert torch.equal(qk_circuit(attention, head), qk_circuit(attention, head, distance=0))


@pytest.mark.parametrize("kind", [nn.LayerNorm, nn.RMSNorm])
@pytest.mark.parametrize("gains", [True, False])
def test_the_linear_part_of_a_norm_is_what_it_does_but_for_size_and_bias(kind, gains):
    torch.manual_seed(0)
    norm = kind(6, elementwise_affine=gains, dtype=torch.float64, eps=0.0)
    x = vectors(3, 6)
    size = (x if kind is nn.RMSNorm else x - x.mean(dim=1, keepdim=True)).square().mean(dim=1)
    bias = 0.0
    if gains:
        nn.init.normal_(norm.weight)
    if gains and kind is nn.LayerNorm:
        nn.init.normal_(norm.bias)
        bias = norm.bias
    expected = (norm(x) - bias) * size.sqrt()[:, None]
    torch.testing.assert_close(x @ linear_part(norm).T, expected.detach(), rtol=0, atol=1e-12)


@pytest.mark.parametrize("gains", [True, False])
def test_circuits_read_through_the_norm(gains):
    attention, norm = layer(4, 2, 8), nn.LayerNorm(8, elementwise_affine=gains, dtype=torch.float64)
    if gains:
        nn.init.normal_(norm.weight)
    read = linear_part(norm)
    torch.testing.assert_close(
        qk_circuit(attention, 1, norm=norm), read.T @ qk_circuit(attention, 1) @ read
    )
    torch.testing.assert_close(ov_circuit(attention, 1, norm=norm), ov_circuit(attention, 1) @ read)


@PROPERTY
@given(d_model=st.integers(1, 6), n=st.integers(1, 4), seed=st.integers(0, 5))
def test_a_composition_score_lies_between_0_and_1_and_ignores_size(d_model, n, seed):
    torch.manual_seed(seed)
    later, earlier = vectors(n, d_model), vectors(d_model, n + 1)
    score = composition_score(later, earlier)
    entries = sum(
        (later[i] * earlier[:, j]).sum() ** 2 for i in range(n) for j in range(earlier.shape[1])
    )
    sizes = later.square().sum() * earlier.square().sum()
    torch.testing.assert_close(score, (entries / sizes).sqrt())
    assert 0 <= score <= 1 + 1e-12
    torch.testing.assert_close(composition_score(-3 * later, earlier / 7), score)


@pytest.mark.parametrize("sizes", [(4, 2), (2, 4), (4, 4)])
def test_composition_scores_are_those_of_each_pair_of_heads(sizes):
    later, earlier = layer(sizes[0], 2, 8), layer(sizes[1], 1, 8, seed=1)
    found = composition_scores(later, earlier)
    assert set(found) == {"Q", "K", "V"}
    for i in range(sizes[0]):
        qk, ov = qk_circuit(later, i), ov_circuit(later, i)
        for j in range(sizes[1]):
            written = ov_circuit(earlier, j)
            for name, reader in (("Q", qk.T), ("K", qk), ("V", ov)):
                torch.testing.assert_close(found[name][i, j], composition_score(reader, written))


def test_a_random_composition_has_a_mean_square_of_1_over_d_model():
    attention = layer(2, 2, 16)
    later, earlier = qk_circuit(attention, 0), ov_circuit(attention, 1)

    def draw():
        return random_composition(later, earlier, 4000, generator=torch.Generator().manual_seed(0))

    found = draw()
    assert found.shape == (4000,) and found.dtype == torch.float64
    assert found.square().mean().item() == pytest.approx(1 / 16, rel=0.02)
    assert torch.equal(found, draw())
    ones = torch.ones(1, 16, dtype=torch.float64)  # rank 1, and all features alike
    spread = random_composition(ones, ones.T, 4000, generator=torch.Generator().manual_seed(1))
    assert spread.square().mean().item() == pytest.approx(1 / 16, rel=0.06)
    assert spread.square().var().item() == pytest.approx(2 * 15 / (16**2 * 18), rel=0.15)
    # A rotation loses nothing of the identity.
    earlier, generator = vectors(5, 3), torch.Generator().manual_seed(0)
    found = random_composition(torch.eye(5).double(), earlier, 20, generator=generator)
    expected = torch.full((20,), 1 / math.sqrt(5), dtype=torch.float64)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-12)
    found = random_composition(torch.eye(5), earlier.float(), 2, generator=generator)
    assert found.dtype == torch.float32


def test_a_copying_score_is_1_for_a_copy_and_minus_1_for_its_opposite():
    generator = torch.Generator().manual_seed(0)
    vectors_of_tokens = torch.randn(12, 30, generator=generator, dtype=torch.float64)
    copy = vectors_of_tokens @ vectors_of_tokens.T
    assert copying_score(copy) == pytest.approx(1)
    assert copying_score(-copy) == pytest.approx(-1)
    assert isinstance(copying_score(copy), float)
    assert copying_score(torch.eye(3, dtype=torch.bfloat16)) == pytest.approx(1)
    random = [copying_score(torch.randn(48, 48, generator=generator)) for _ in range(50)]
    assert abs(sum(random) / 50) < 0.05 and max(map(abs, random)) < 0.5
    assert copying_score(torch.tensor([[0.0, -1.0], [1.0, 0.0]])) == pytest.approx(0)  # i and -i


def test_results_have_no_gradients_and_the_dtype_of_the_parameters():
    attention = MultiHeadAttention(8, 2, dtype=torch.bfloat16)
    for result in (qk_circuit(attention, 0), ov_circuit(attention, 0)):
        assert result.dtype == torch.bfloat16 and not result.requires_grad
    for norm in (nn.LayerNorm(8), nn.RMSNorm(8)):
        assert linear_part(norm).dtype == torch.float32 and not linear_part(norm).requires_grad
        assert qk_circuit(attention, 0, norm=norm).dtype == torch.bfloat16


def test_what_does_not_fit_is_refused():
    attention = layer(4, 2, 8)
    for circuit in (qk_circuit, ov_circuit):
        for head in (4, -1):
            with pytest.raises(ValueError, match=f"head must be between 0 and 3, got {head}"):
                circuit(attention, head)
        with pytest.raises(TypeError, match="attention must be MultiHeadAttention, got Linear"):
            circuit(attention.q_proj, 0)
        with pytest.raises(TypeError, match="norm must be LayerNorm or RMSNorm, got Linear"):
            circuit(attention, 0, norm=attention.q_proj)
    with pytest.raises(ValueError, match="distance must not be negative, got -1"):
        qk_circuit(attention, 0, distance=-1)
    with pytest.raises(ValueError, match="earlier must have the d_model 8 of later, got 6"):
        composition_scores(attention, layer(2, 2, 6))
    for shapes in (((3,), (3, 3)), ((3, 3), (3,)), ((2, 3), (2, 3))):
        message = (
            f"later must be (..., n, d_model) and earlier (..., d_model, m), got {shapes[0]} and "
        )
        with pytest.raises(ValueError, match=re.escape(message + str(shapes[1]))):
            composition_score(*map(torch.ones, shapes))
    for pair, name in (
        ((attention, norm := nn.LayerNorm(8)), "earlier"),
        ((norm, attention), "later"),
    ):
        with pytest.raises(TypeError, match=f"{name} must be MultiHeadAttention, got LayerNorm"):
            composition_scores(*pair)
    with pytest.raises(ValueError, match="draws must be at least 1, got 0"):
        random_composition(torch.eye(2), torch.eye(2), 0, generator=torch.Generator())
    with pytest.raises(ValueError, match="circuit must be a square matrix, got .2, 3."):
        copying_score(torch.ones(2, 3))
    with pytest.raises(ValueError, match="circuit must have an eigenvalue that is not 0"):
        copying_score(torch.zeros(2, 2))
