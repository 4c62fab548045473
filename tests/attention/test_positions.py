"""Positions against their formulas, and the properties that make them positions."""

import math

import pytest
import torch

from course_lib import DecoderLM, LearnedPositions, RotaryEmbedding, SinusoidalPositions
from course_lib.attention.positions import positions_behind_padding, sinusoidal_table
from refusals import refuses

PAIRINGS = ["halves", "interleaved"]
DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


# --- sinusoidal --------------------------------------------------------------------------------


def test_sinusoidal_table_is_the_formula_of_the_paper():
    table = sinusoidal_table(50, 12)
    assert table.shape == (50, 12) and table.dtype == torch.float32
    for position in (0, 1, 17, 49):
        for i in range(6):
            angle = position / 10000 ** (2 * i / 12)
            assert table[position, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-5)
            assert table[position, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sinusoidal_positions_keep_the_dtype_and_add_the_same_to_each_sequence(dtype):
    x = torch.randn(3, 5, 8, dtype=dtype)
    output = SinusoidalPositions(8)(x, offset=2)
    assert output.dtype == dtype
    torch.testing.assert_close(output, x + sinusoidal_table(5, 8, offset=2).to(dtype))


# --- learned -----------------------------------------------------------------------------------


def test_learned_positions_start_with_the_given_spread():
    assert LearnedPositions(500, 64, std=0.5).weight.std().item() == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize("offset, span", [(8, "8 to 10"), (-1, "-1 to 1")])
def test_learned_positions_refuse_what_they_never_learned(offset, span):
    with pytest.raises(ValueError, match=rf"0 to 9 \(max_len=10\), got {span}"):
        LearnedPositions(10, 6)(torch.zeros(1, 3, 6), offset=offset)
    with pytest.raises(ValueError, match="and below max_len=10, got 10 to 10"):
        LearnedPositions(10, 6)(torch.zeros(1, 1, 6), positions=torch.tensor([[10]]))


# --- rotary ------------------------------------------------------------------------------------


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_rotary_turns_each_pair_as_a_complex_number(pairing):
    x = torch.randn(2, 3, 7, 8, dtype=torch.float64)
    turned = RotaryEmbedding(8, base=500.0, pairing=pairing)(x, offset=4)
    for i in range(4):
        a, b = (i, i + 4) if pairing == "halves" else (2 * i, 2 * i + 1)
        angles = torch.arange(4, 11, dtype=torch.float64) / 500.0 ** (i / 4)
        expected = torch.complex(x[..., a], x[..., b]) * torch.polar(torch.ones(7).double(), angles)
        torch.testing.assert_close(turned[..., a], expected.real, atol=1e-12, rtol=0)
        torch.testing.assert_close(turned[..., b], expected.imag, atol=1e-12, rtol=0)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("dtype, atol", [(torch.float16, 5e-3), (torch.bfloat16, 4e-2)])
def test_half_precision_is_exact_at_long_positions(pairing, dtype, atol):
    """Angles computed in float16 would be wrong from position 2048 on: it skips odd integers."""
    x = torch.randn(1, 3, 16).to(dtype)
    rotary = RotaryEmbedding(16, pairing=pairing)
    turned = rotary.to(dtype)(x, offset=30001)
    assert turned.dtype == dtype
    expected = rotary(x.double(), offset=30001)
    torch.testing.assert_close(turned.double(), expected, atol=atol, rtol=0)


def yarn_of_transformers(head_dim, base, trained_length, stretch):
    """Speeds of the pairs and the factor of queries and keys, as transformers has them."""
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    rope = {"rope_type": "yarn", "rope_theta": base, "factor": stretch}
    sizes = {"hidden_size": head_dim, "num_attention_heads": 1}
    sizes |= {"max_position_embeddings": int(stretch * trained_length)}
    rope |= {"original_max_position_embeddings": trained_length}
    config = LlamaConfig(**sizes, rope_parameters=rope)
    return ROPE_INIT_FUNCTIONS["yarn"](config, torch.device("cpu"))


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize(
    ("head_dim", "base", "trained_length", "stretch"),
    [(16, 1e4, 24, 21.5), (128, 1e6, 32768, 4), (64, 500, 2048, 1.5), (2, 7, 9, 3), (4, 2, 99, 2)],
)
def test_stretched_rotary_is_yarn(pairing, head_dim, base, trained_length, stretch):
    rotary = RotaryEmbedding(
        head_dim, base=base, pairing=pairing, stretch=stretch, trained_length=trained_length
    )
    speeds, factor = yarn_of_transformers(head_dim, base, trained_length, stretch)
    torch.testing.assert_close(rotary.speeds(), speeds, atol=1e-6, rtol=1e-4)
    assert rotary.speeds(dtype=torch.float64).dtype == torch.float64
    x = torch.randn(2, 3, 11, head_dim)
    split = (lambda y: y.unflatten(-1, (2, -1)).transpose(-1, -2)) if pairing == "halves" else (
        lambda y: y.unflatten(-1, (-1, 2))
    )  # fmt: skip
    pairs = torch.view_as_complex(split(x).contiguous())  # (2, 3, 11, head_dim / 2)
    angles = torch.arange(5, 16)[:, None] * speeds
    expected = torch.view_as_real(pairs * torch.polar(torch.full_like(angles, factor), angles))
    torch.testing.assert_close(split(rotary(x, offset=5)), expected, atol=1e-4, rtol=1e-4)


def test_a_stretch_of_one_changes_nothing():
    x = torch.randn(3, 7, 8)
    assert torch.equal(RotaryEmbedding(8, stretch=1, trained_length=4)(x), RotaryEmbedding(8)(x))


def test_rotary_has_nothing_to_save_or_to_round():
    assert not RotaryEmbedding(8).state_dict()


# --- lengths and errors ------------------------------------------------------------------------

MODULES = [SinusoidalPositions(8), LearnedPositions(10, 8), RotaryEmbedding(8)]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: type(module).__name__)
def test_empty_sequences_and_batches(module):
    assert module(torch.zeros(2, 0, 8)).shape == (2, 0, 8)
    assert module(torch.zeros(0, 3, 8)).shape == (0, 3, 8)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: type(module).__name__)
def test_chunks_with_offsets_are_the_whole(module):
    x = torch.randn(2, 9, 8)
    parts = [module(x[:, :4]), module(x[:, 4:5], offset=4), module(x[:, 5:], offset=5)]
    torch.testing.assert_close(torch.cat(parts, dim=1), module(x))


@pytest.mark.parametrize("module", [*MODULES, RotaryEmbedding(8, pairing="interleaved")], ids=str)
@pytest.mark.parametrize("heads", [(), (4,)], ids=str)
def test_each_token_may_have_a_position_of_its_own(module, heads):
    if heads and not isinstance(module, RotaryEmbedding):
        heads = ()  # the others stand before the heads are split
    x, places = torch.randn(3, *heads, 5, 8), torch.randint(10, (3, 5))
    output = module(x, positions=places)
    for row in range(3):
        for column in range(5):
            token = x[row : row + 1, ..., column : column + 1, :]
            expected = module(token, offset=int(places[row, column]))
            torch.testing.assert_close(output[row : row + 1, ..., column : column + 1, :], expected)
    assert module(x[:0], positions=places[:0]).shape == (0, *heads, 5, 8)
    for wrong, message in (
        (places[:, :4], r"positions must have shape \(batch, length\) = \(3, 5\), got \(3, 4\)"),
        (places - 10, "positions must be 0 or more.* got -10 to -"),
        (places.float(), "positions must be an integer tensor .* got torch.float32"),
    ):
        refuses((ValueError, TypeError), message, module, x, positions=wrong)


def test_positions_behind_padding_count_from_the_first_token():
    rows = [[0, 0, 1, 1], [1, 1, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 0]]
    expected = [[0, 0, 0, 1], [0, 1, 2, 3], [0, 1, 2, 3], [0, 0, 1, 2], [0, 0, 0, 0]]
    places = positions_behind_padding(torch.tensor(rows).bool())
    assert torch.equal(places, torch.tensor(expected))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: type(module).__name__)
def test_bad_inputs_are_refused(module):
    with pytest.raises(ValueError, match=r"x must have shape \(..., length, 8\), got \(2, 3, 6\)"):
        module(torch.zeros(2, 3, 6))
    with pytest.raises(TypeError, match="x must have a floating dtype, got torch.int64"):
        module(torch.zeros(2, 3, 8, dtype=torch.long))


def test_bad_settings_are_refused():
    for make in (SinusoidalPositions, lambda d_model: sinusoidal_table(4, d_model)):
        refuses(ValueError, "d_model must be even, got 7", make, 7)
        refuses(ValueError, "d_model must be at least 1, got 0", make, 0)
    refuses(ValueError, "head_dim must be even, got 7", RotaryEmbedding, 7)
    with pytest.raises(ValueError, match="pairing must be 'halves' or 'interleaved', got 'neox'"):
        RotaryEmbedding(8, pairing="neox")
    refuses(ValueError, "head_dim must be at least 1, got 0", RotaryEmbedding, 0)
    for base in (0, -0.5, math.inf, math.nan):
        refuses(ValueError, f"base must be a .* number, got {base}", RotaryEmbedding, 8, base=base)
    assert RotaryEmbedding(8, base=0.5).base == 0.5
    for stretch in (0.99, -2, math.nan):
        with pytest.raises(ValueError, match="stretch must be"):
            RotaryEmbedding(8, stretch=stretch, trained_length=9)
    with pytest.raises(ValueError, match=r"trained_length must be given for stretch=2, got None"):
        RotaryEmbedding(8, stretch=2)
    with pytest.raises(ValueError, match="trained_length must be at least 1, got 0"):
        RotaryEmbedding(8, stretch=2, trained_length=0)
    with pytest.raises(ValueError, match=r"base must be above 1 for stretch=2, got 1\.0"):
        RotaryEmbedding(8, base=1.0, stretch=2, trained_length=9)
    refuses(ValueError, "max_len must be at least 1, got 0", LearnedPositions, 0, 8)


def test_the_angles_are_computed_once_for_all_layers_and_for_queries_and_keys(monkeypatch):
    calls = []
    monkeypatch.setattr(
        RotaryEmbedding,
        "turns",
        lambda self, *given, turns=RotaryEmbedding.turns: calls.append(1) or turns(self, *given),
    )
    model = DecoderLM(7, 16, 4, 3, positions="rotary", num_kv_heads=2).eval()
    tokens = torch.randint(7, (2, 5))
    model(tokens)
    assert len(calls) == 1
    model.stack.blocks[1].attention.rotary = RotaryEmbedding(4, base=50.0)  # a layer of its own
    expected, _ = model(tokens)
    assert len(calls) == 4
    x = model.embedding(tokens)
    for block in model.stack.blocks:  # each computes its own, here
        x, _, _ = block(x, is_causal=True)
    torch.testing.assert_close(model.head(model.stack.norm(x)), expected)
    with torch.no_grad():
        caches = model.make_caches(2, 5)
        parts = [model(part, caches=caches)[0] for part in (tokens[:, :3], tokens[:, 3:])]
    torch.testing.assert_close(torch.cat(parts, dim=1), expected.detach())


class FromZero(torch.nn.Module):
    """Rotary positions that somebody has wrapped: they know of no angles that layers share."""

    def __init__(self, rotary):
        super().__init__()
        self.head_dim, self.rotary = rotary.head_dim, rotary

    def forward(self, x, offset=0):
        return self.rotary(x, offset=offset)


def test_wrapped_rotary_positions_are_called_as_they_are():
    model = DecoderLM(7, 16, 4, 2, positions="rotary").eval()
    tokens = torch.randint(7, (2, 5))
    expected, _ = model(tokens)
    for block in model.stack.blocks:
        block.attention.rotary = FromZero(block.attention.rotary)
    assert torch.equal(model(tokens)[0], expected)
