"""What people have: several layers, torch's weights, a transformers model's."""

import base64
import io
import math
import re
import zlib

import numpy as np
import pytest
import torch
import traitlets
from PIL import Image

from course_lib import causal_mask
from course_lib.widgets import AttentionExplorer
from refusals import refuses

from_weights = AttentionExplorer.from_weights
TOKENS = ["The", "bank", "by", "the", "river"]


def weights_of(*shape):
    return torch.softmax(2 * torch.randn(*shape), dim=-1)


def test_torchs_weights_of_several_layers():
    layers = [torch.nn.MultiheadAttention(12, 3, batch_first=True) for _ in range(4)]
    inputs = torch.randn(2, 5, 12)
    with torch.no_grad():
        weights = [layer(*[inputs] * 3, average_attn_weights=False)[1] for layer in layers]
    explorer = from_weights(weights, TOKENS, batch=np.int64(1), layer=2, head=1)
    torch.testing.assert_close(explorer.weights.float(), weights[2][1, 1], atol=1e-6, rtol=0)
    assert explorer.describe().startswith("AttentionExplorer(4 layers of 3 heads")
    refuses(ValueError, "batch of 2: say which with batch=0 to 1", from_weights, weights, TOKENS)
    refuses(ValueError, "batch must be from 0 to 1, got 2", from_weights, weights, TOKENS, batch=2)


def small_gpt2():
    # With Colab's packages there is none; with the course's own there always is.
    transformers = pytest.importorskip("transformers")
    config = transformers.GPT2Config(
        vocab_size=20, n_positions=16, n_embd=12, n_layer=3, n_head=2, attn_implementation="eager"
    )
    return transformers.GPT2LMHeadModel(config).eval()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_attentions_of_a_transformers_model(dtype):
    model = small_gpt2().to(dtype)
    with torch.no_grad():
        outputs = model(torch.randint(20, (1, 5)), output_attentions=True)
    explorer = from_weights(outputs.attentions, TOKENS)
    for layer in range(3):
        for head in range(2):
            explorer.layer, explorer.head = layer, head
            expected = outputs.attentions[layer][0, head].float()
            # bfloat16's weights sum to 1 within 1/256 only; the softmax brings the sum to 1.
            expected = expected / expected.sum(dim=-1, keepdim=True)
            torch.testing.assert_close(explorer.weights.float(), expected, atol=1e-5, rtol=0)
    assert (explorer.weights.triu(1) == 0).all()  # the model's mask


@pytest.mark.parametrize(
    ("error", "words", "weights", "arguments"),
    [
        (TypeError, 'got None; .*attn_implementation="eager"', None, {}),
        (TypeError, "got None for some layers; .*output_attentions=True", (None, None), {}),
        (TypeError, "got no layers", (), {}),
        (ValueError, "must have parts of one shape", [torch.ones(2, 5, 5), torch.eye(5)], {}),
        (ValueError, r"sum to 1.*eval\(\)", [torch.ones(1, 2, 5, 5)], {}),
        (ValueError, r"sum to 1.*eval\(\)", 0.9 * torch.eye(5), {}),
        (ValueError, r"^weights must have shape .*got \(5,\)", weights_of(5), {}),
        (ValueError, r"^weights must have shape", weights_of(1, 1, 1, 1, 5, 5), {}),
        (ValueError, "^tokens must hold one .* weights of shape", weights_of(4, 4), {}),
        (TypeError, "^weights must be .* real numbers, got torch.complex64", torch.eye(5) * 1j, {}),
        (ValueError, "batch must be from 0 to 1, got 7", weights_of(2, 3, 5, 5), {"batch": 7}),
        (ValueError, "batch must be from 0 to 1, got '0'", weights_of(2, 3, 5, 5), {"batch": "0"}),
        (ValueError, "batch must be from 0 to 1, got T", weights_of(2, 3, 5, 5), {"batch": True}),
        (ValueError, r"None for weights of .*\(2, 5, 5\)", weights_of(2, 5, 5), {"batch": 1}),
        (ValueError, r"None for layers of .*\(3, 5, 5\)", [*weights_of(2, 3, 5, 5)], {"batch": 1}),
    ],
)
def test_what_holds_no_weights_or_asks_too_much_of_them_is_named(error, words, weights, arguments):
    refuses(error, words, from_weights, weights, TOKENS, **arguments)


def test_a_mask_never_changes_finished_weights():
    weights, causal = weights_of(2, 5, 5), causal_mask(5)
    largest = f"got {weights.triu(1).max():.4g} at index"
    for arguments in ({"mask": causal}, {"causal": True}):
        with pytest.raises(ValueError, match=f"^weights must be 0 where .*{largest}") as refusal:
            from_weights(weights, TOKENS, **arguments)
        assert next(iter(arguments)) in str(refusal.value)
    hidden = weights.masked_fill(~causal, 0)
    hidden = hidden / hidden.sum(dim=-1, keepdim=True)
    hidden = hidden.masked_fill(~causal, 1e-9)  # a rounding apart from 0
    zeros = hidden.masked_fill(~causal, 0)
    everything = torch.ones(5, 5, dtype=torch.bool)
    for given, arguments in (
        (hidden, {"mask": causal}),
        (hidden, {"causal": True}),
        (zeros, {"mask": everything}),
    ):
        explorer = from_weights(given, TOKENS, **arguments)
        torch.testing.assert_close(explorer.weights.float(), hidden[0], atol=1e-6, rtol=0)


def test_masked_cells_of_numpy_are_refused():
    def hidden(numbers):
        return np.ma.masked_array(numbers.numpy(), ~causal_mask(5).numpy())

    scores, mask = torch.randn(5, 5), torch.ones(5, 5, dtype=torch.bool)
    for name, act in {
        "scores": lambda: AttentionExplorer(hidden(scores), TOKENS),
        "weights": lambda: from_weights(hidden(scores.softmax(-1)), TOKENS),
        "mask": lambda: AttentionExplorer(scores, TOKENS, mask=hidden(mask)),
    }.items():
        refuses(ValueError, f"{name} must have no masked cells, got 10: .*mask=~", act)
    way_out = AttentionExplorer(hidden(scores).filled(0), TOKENS, mask=~hidden(scores).mask)
    expected = scores.double().masked_fill(~causal_mask(5), -math.inf).softmax(dim=-1)
    torch.testing.assert_close(way_out.weights, expected)


def test_values_are_the_explorers_own():
    values = torch.ones(5, 2, dtype=torch.float64)
    explorer = AttentionExplorer(torch.zeros(5, 5), TOKENS, values)
    values += 6
    assert (explorer._maps.values == 1).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_a_weight_that_was_rounded_to_0_is_not_masked_where_a_mask_says_so(dtype):
    allowed = causal_mask(5)
    weights = weights_of(2, 5, 5).masked_fill(~allowed, 0)
    weights[0, 4, 1] = 0
    weights = (weights / weights.sum(dim=-1, keepdim=True)).to(dtype)
    explorer = from_weights(weights, TOKENS, mask=allowed, query=4)
    assert ((explorer.weights > 0) == allowed).all()  # a masked weight is exactly 0
    expected = weights[0].double() / weights[0].double().sum(dim=-1, keepdim=True)
    torch.testing.assert_close(explorer.weights, expected, atol=1e-6, rtol=0)


def test_a_row_without_weights_is_not_mixed_where_a_mask_allows_it():
    weights = weights_of(2, 5, 5)
    weights[1, 2] = 0
    with pytest.raises(ValueError, match=r"^weights must sum to 1 where mask .* \(0, 1, 2\)"):
        from_weights(weights, TOKENS, mask=torch.ones(5, 5, dtype=torch.bool))


# --- written text, sinks, NaN, layers of other sizes, signs for a space --------------------------


@pytest.mark.parametrize("use_cache", [True, False])
def test_the_maps_of_a_text_that_a_model_wrote(use_cache):
    model, prompt = small_gpt2(), torch.randint(20, (2, 3))
    settings = {"max_new_tokens": 4, "do_sample": False, "pad_token_id": 0, "eos_token_id": None}
    settings |= {"output_attentions": True, "return_dict_in_generate": True}
    written = model.generate(prompt, use_cache=use_cache, **settings)
    read = written.sequences[:, :-1]  # the last one has not been read
    with torch.no_grad():
        expected = model(read, output_attentions=True).attentions
    texts = [str(one) for one in read[1].tolist()]
    explorer = from_weights(written.attentions, texts, batch=1)
    for layer in range(3):
        explorer.layer, explorer.head = layer, 1
        written_maps = expected[layer][1, 1].double()
        torch.testing.assert_close(explorer.weights, written_maps, atol=1e-5, rtol=0)
    with pytest.raises(ValueError, match="tokens must hold one text for each query: 6"):
        from_weights(written.attentions, [*texts, "more"], batch=1)
    without = [tuple(None for _ in step) for step in written.attentions]
    with pytest.raises(TypeError, match="None for some layers; .*output_attentions=True"):
        from_weights(without, texts)


def test_what_goes_to_a_sink_has_a_column_of_its_own():
    transformers = pytest.importorskip("transformers")
    config = transformers.GptOssConfig(
        vocab_size=20, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, head_dim=4,
        num_key_value_heads=2, intermediate_size=8, num_local_experts=2, num_experts_per_tok=1,
        sliding_window=16, layer_types=["full_attention"] * 2, pad_token_id=0, eos_token_id=None,
        attn_implementation="eager",
    )  # fmt: skip
    model = transformers.GptOssForCausalLM(config).eval()
    with torch.no_grad():
        weights = model(torch.randint(20, (1, 5)), output_attentions=True).attentions
    rest = 1 - weights[1][0, 3].sum(dim=-1)
    assert rest.min() > 0.05
    with pytest.raises(ValueError, match=r"got 0\.\d+ for layer 0, head 0, .*elsewhere=True"):
        from_weights(weights, TOKENS)
    explorer = from_weights(weights, TOKENS, elsewhere=True, layer=1, head=3)
    expected = torch.cat((rest[:, None], weights[1][0, 3]), dim=-1).double()
    torch.testing.assert_close(explorer.weights, expected, atol=1e-6, rtol=0)
    assert "elsewhere" in explorer.still()
    causal = from_weights(weights, TOKENS, elsewhere=True, causal=True)
    assert (causal.weights[:, 1:].triu(1) == 0).all() and (causal.weights[:, 0] > 0).all()
    mask = torch.ones(5, 5, dtype=torch.bool)
    with pytest.raises(ValueError, match="mask must be None with elsewhere=True"):
        from_weights(weights, TOKENS, elsewhere=True, mask=mask)


def test_layers_may_have_other_numbers_of_heads():
    weights = [weights_of(3, 5, 5), weights_of(1, 5, 5)]
    explorer = from_weights(weights, TOKENS, layer=1)
    torch.testing.assert_close(explorer.weights, weights[1][0].double(), atol=1e-6, rtol=0)
    explorer.head = 2  # there is none: an empty map
    assert not explorer.weights.any()
    explorer.layer = 0
    torch.testing.assert_close(explorer.weights, weights[0][2].double(), atol=1e-6, rtol=0)


def test_maps_of_windows_of_an_image_say_so_and_one_window_is_shown():
    weights = (weights_of(8, 2, 5, 5), weights_of(8, 2, 5, 5), weights_of(2, 4, 5, 5))  # as Swin's
    for batch in (None, 0):
        with pytest.raises(ValueError, match="Swin's .* are of windows of an image") as error:
            from_weights(weights, TOKENS, batch=batch)
        assert "got [(8, 2, 5, 5), (2, 4, 5, 5)]" in str(error.value)
    explorer = from_weights(weights[0], TOKENS, batch=7, head=1)
    torch.testing.assert_close(explorer.weights, weights[0][7, 1].double(), atol=1e-6, rtol=0)


def band_of(length, reach, is_global=()):
    """Weights (2, 3, length, globals + 2 * reach + 1) over a band, as Longformer gives them."""
    query, column = torch.arange(length)[:, None], torch.arange(2 * reach + 1)
    key = query + column - reach
    allowed = (key >= 0) & (key < length) & ~torch.isin(key, torch.tensor(is_global))
    allowed = torch.cat((torch.ones(length, len(is_global), dtype=torch.bool), allowed), dim=-1)
    weights = torch.randn(2, 3, *allowed.shape).masked_fill(~allowed, -math.inf).softmax(dim=-1)
    weights[:, :, list(is_global)] = 0  # these rows are in global_attentions
    return weights


@pytest.mark.parametrize(
    ("length", "reach", "is_global"),
    [(16, 2, ()), (5, 8, ()), (17, 8, ()), (30, 4, (0, 1, 7)), (14, 256, (0,))],
)
@pytest.mark.parametrize("padding", [0, 6])
def test_maps_over_a_band_say_which_keys_their_columns_are(length, reach, is_global, padding):
    weights = torch.nn.functional.pad(band_of(length, reach, is_global), (0, 0, 0, padding))
    words = f"last {2 * reach + 1} columns of row i are the keys i - {reach} to i + {reach}. Put"
    texts = [str(position) for position in range(length + padding)]
    for given in (weights, [weights, weights], [weights, band_of(length + padding, reach + 1)]):
        refuses(ValueError, re.escape(words), from_weights, given, texts, batch=0)


def test_what_transformers_returns_for_windows_and_bands_is_named():
    transformers = pytest.importorskip("transformers")
    config = transformers.SwinConfig(
        image_size=16, patch_size=2, embed_dim=8, depths=[2, 1], num_heads=[2, 4], window_size=4,
        attn_implementation="eager",
    )  # fmt: skip
    swin = transformers.SwinModel(config).eval()
    config = transformers.LongformerConfig(
        attention_window=[4, 8], vocab_size=50, hidden_size=16, num_hidden_layers=2,
        num_attention_heads=2, intermediate_size=16, max_position_embeddings=64,
        attn_implementation="eager",
    )  # fmt: skip
    longformer = transformers.LongformerModel(config).eval()
    with torch.no_grad():
        of_image = swin(torch.randn(1, 3, 16, 16), output_attentions=True).attentions
        of_text = longformer(torch.randint(5, 50, (1, 14)), output_attentions=True).attentions
    refuses(ValueError, "Swin's .* are of windows of an image", from_weights, of_image, TOKENS)
    with pytest.raises(ValueError, match="last 5 columns of row i are the keys i - 2 to"):
        from_weights(of_text, TOKENS)


@pytest.mark.parametrize("query_len", [2, 5, 9])
def test_maps_over_other_keys_are_not_taken_for_a_band(query_len):
    keys = [str(position) for position in range(7)]
    texts = [str(position) for position in range(query_len)]
    one_each = torch.eye(7).flip(0)[torch.arange(query_len) % 7]  # the last key first
    late = weights_of(query_len, 7).tril(7 - query_len)  # new queries of a causal model
    padded = weights_of(query_len, 7) * (torch.arange(7) < 4)
    for weights in (one_each, late, padded, weights_of(2, query_len, 7)):
        weights = torch.nn.functional.normalize(weights, p=1, dim=-1)
        from_weights(weights, texts, key_tokens=keys)


@pytest.mark.parametrize("real", [1, 3, 6, 9, 12])
@pytest.mark.parametrize("reach", [0, 1, 3, 12])
@pytest.mark.parametrize("causal", [True, False])
def test_maps_of_a_padded_text_are_not_taken_for_a_band(real, reach, causal):
    query, key = torch.arange(12)[:, None], torch.arange(12)
    allowed = (key < real) & ((query - key).abs() <= reach) & ((key <= query) | (not causal))
    weights = weights_of(2, 12, 12) * allowed
    for rows in (weights, weights * (torch.arange(12)[:, None] < real)):  # padding looks, or not
        rows = torch.nn.functional.normalize(rows, p=1, dim=-1)
        from_weights(rows, [str(i) for i in range(12)])


def test_of_a_long_text_the_part_around_a_token_is_shown():
    weights = weights_of(2, 2, 700, 700)
    texts = [f"t{position}" for position in range(700)]
    for around, first in ((None, 0), (3, 0), (400, 145), (699, 189)):
        explorer = from_weights(weights, texts, around=around, layer=1)
        shown = slice(first, first + 511)
        assert f"tokens {first} to {first + 510} of 700" in explorer.describe()
        part = weights[1, 0, shown, shown].double()
        torch.testing.assert_close(explorer.weights[:, 1:], part, atol=1e-6, rtol=0)
        torch.testing.assert_close(explorer.weights[:, 0], 1 - part.sum(dim=-1), atol=1e-5, rtol=0)
        assert explorer.query == (around or 0) - first
        assert explorer._data["part"] in explorer.to_html()
    with pytest.raises(ValueError, match="around must be a token from 0 to 699, got 700"):
        from_weights(weights, texts, around=700)
    with pytest.raises(ValueError, match="tokens must hold one text for each.* 700 .*got 699"):
        from_weights(weights, texts[1:], around=3)
    with pytest.raises(ValueError, match="mask must be None for a part of a long text"):
        from_weights(weights, texts, mask=weights[0, 0] > 0)
    with pytest.raises(ValueError, match="around must be None for at most 512 tokens, got 3"):
        from_weights(weights[..., :9, :9], texts[:9], elsewhere=True, around=3)


def test_very_many_weights_are_sent_in_a_byte_each_and_are_right_within_a_half_percent():
    torch.manual_seed(1)
    allowed = causal_mask(300)
    scores = 4 * torch.randn(4, 12, 300, 300) * torch.rand(4, 12, 300, 1)
    weights = scores.masked_fill(~allowed, -torch.inf).softmax(dim=-1)
    given = weights.clone()
    explorer = from_weights(weights, [str(position) for position in range(300)], layer=3, head=5)
    sent = explorer._data["scores"]
    codes = np.frombuffer(zlib.decompress(base64.b64decode(sent["data"])), np.uint8)
    codes = torch.tensor(codes).view(weights.shape)
    assert torch.equal(codes == 255, ~(weights > 0))
    shown = (codes.double() / sent["shares"]).square().masked_fill(codes == 255, 0.0)
    assert (shown - weights).abs().max() <= sent["error"] <= 0.005
    assert len(sent["data"]) < 0.5 * weights.numel()
    torch.testing.assert_close(explorer.weights, weights[3, 5], atol=1e-6, rtol=0)
    torch.testing.assert_close(weights, given, rtol=0, atol=0)
    with pytest.raises(traitlets.TraitError, match="temperature must be 1 for so many weights"):
        explorer.temperature = 0.5
    assert not explorer._data["maskable"]


def test_too_many_scores_are_told_the_way_out_which_works():
    weights = weights_of(513, 513)
    texts = [str(position) for position in range(513)]
    words = (
        "tokens must hold 1 to 512 tokens, got 513. Cut out a part, as in tokens[a:b] with "
        "scores[..., a:b, a:b], whose softmax is then over these keys alone. Or give finished "
        "weights: from_weights(weights, tokens, around=a place)"
    )
    refuses(ValueError, re.escape(words), AttentionExplorer, weights, texts)
    part = weights[:512, :512]
    explorer = from_weights(part, texts[:512], elsewhere=True)
    assert "tokens 0 to 510 of 512" in explorer.describe()
    refuses(ValueError, "got 0$", AttentionExplorer, weights, [])
    a, b = 2, 513
    explorer = from_weights(weights[a:b, a:b], texts[a:b], elsewhere=True)
    part = weights[a:b, a:b].double()
    torch.testing.assert_close(explorer.weights[:, 1:], part, atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    ("signs", "shown"),
    [
        (["The", "Ġbank", "Ċ", "Ġ", "s"], ["The", " bank", r"\n", "␣", "s"]),
        (["▁The", "▁bank", "s", ".", "▁"], [" The", " bank", "s", ".", "␣"]),
        (["The", " bank", "Ġ", "a", "b"], ["The", " bank", "Ġ", "a", "b"]),
        (["a_b", "##c", "Ü", "d", "e"], ["a_b", "##c", "Ü", "d", "e"]),
    ],
)
def test_labels_have_a_space_in_place_of_a_tokenizers_sign(signs, shown):
    assert from_weights(weights_of(5, 5), signs)._maps.queries == shown


def ramp(height, width):
    """A picture (height, width, 3), uint8, in which no two pixels of a row are alike."""
    rows, columns = np.mgrid[:height, :width]
    return np.stack((rows, columns, rows * 0 + 7), axis=-1).astype(np.uint8)


def shown_picture(explorer):
    """The picture that the browser gets, as an array."""
    kind, _, data = explorer._data["picture"]["address"].partition(",")
    assert kind == "data:image/png;base64"
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data))))


@pytest.mark.parametrize("extra", [0, 1], ids=["patches", "[CLS] and patches"])
@pytest.mark.parametrize("size, rows, columns", [((24, 24), 4, 4), ((24, 36), 2, 3)])
def test_weights_of_patches_come_with_their_picture(extra, size, rows, columns):
    weights = weights_of(2, 3, rows * columns + extra, rows * columns + extra)
    explorer = from_weights(weights, picture=ramp(*size), layer=1, head=2)
    torch.testing.assert_close(explorer.weights.float(), weights[1, 2], atol=1e-6, rtol=0)
    sent = explorer._data["picture"]
    assert (sent["rows"], sent["columns"]) == (rows, columns)
    assert (shown_picture(explorer) == ramp(*size)).all()
    queries = explorer._data["queries"]
    assert queries[:extra] == ["[CLS]"] * extra
    assert queries[extra:] == [f"{r},{c}" for r in range(rows) for c in range(columns)]
    assert (explorer.view, explorer.stretch) == ("text", True)
    named = from_weights(
        weights, list("abcdefghijklmnopq")[: rows * columns + extra], picture=ramp(*size), state={}
    )
    assert (named.view, named._data["queries"][0]) == ("lines", "a")


def test_a_vision_model_and_what_its_processor_was_given():
    transformers = pytest.importorskip("transformers")
    config = transformers.ViTConfig(
        hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=16,
        image_size=24, patch_size=6, attn_implementation="eager",
    )  # fmt: skip
    model, image = transformers.ViTModel(config).eval(), torch.rand(3, 24, 24)
    with torch.no_grad():
        outputs = model(2 * image[None] - 1, output_attentions=True)
    explorer = from_weights(outputs.attentions, picture=image.permute(1, 2, 0))
    assert (shown_picture(explorer) == (255 * image.permute(1, 2, 0)).round().numpy()).all()
    torch.testing.assert_close(explorer.weights.float(), outputs.attentions[0][0, 0])
    grey = from_weights(weights_of(9, 9), picture=np.ones((600, 600)))
    assert shown_picture(grey).shape == (512, 512)


@pytest.mark.parametrize(
    "picture, count, message",
    [
        (torch.rand(3, 8, 8), 4, r"\(H, W, 3\), got \(3, 8, 8\): .* picture.permute\(1, 2, 0\)$"),
        (torch.rand(8, 8, 4), 4, r"\(H, W, 3\), got \(8, 8, 4\)$"),
        (torch.randn(8, 8, 3), 4, "no normalised pixels, got float32 from -"),
        (np.full((8, 8), np.nan), 4, "floats from 0 to 1"),
        (np.full((8, 8), 3), 4, "must hold uint8, .* got int64 from 3 to 3"),
        (np.ones((8, 8)), 6, r"got 8 by 8 pixels for 6 keys"),
        (np.ones((8, 16)), 4, r"cut to the shape .* got 8 by 16 pixels for 4 keys"),
        (np.ones((8, 8)), 577, "picture must have at most 512 keys beside it, got 577"),
    ],
)
def test_a_picture_that_does_not_fit_is_refused(picture, count, message):
    refuses(ValueError, message, from_weights, weights_of(count, count), picture=picture)
