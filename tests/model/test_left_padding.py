"""Sequences of unequal length with padding on the left: each is computed as it is alone."""

import pytest
import torch
from model_that_tells_apart import model_that_tells_apart
from torch.testing import assert_close

from course_lib import EncoderDecoder, LatentAttention, MultiHeadAttention, padding_mask
from course_lib.attention.linear import LinearAttention
from course_lib.attention.positions import positions_behind_padding

POSITIONS = ["learned", "sinusoidal", "rotary", "none"]
ATTENTIONS = {
    "plain": None,
    "shared key heads": lambda rotary: MultiHeadAttention(16, 4, num_kv_heads=2, rotary=rotary),
    "latent": lambda rotary: LatentAttention(16, 4, 6, rotary=rotary),
}


def language_model(positions, attention=None):
    return model_that_tells_apart(positions, attention).double()


def padded(generator, lengths=(2, 7, 4)):
    """Sequences (1, length) each, and all of them with padding on the left, and its mask."""
    sequences = [torch.randint(1, 11, (1, n), generator=generator) for n in lengths]
    tokens = torch.zeros(len(lengths), max(lengths), dtype=torch.long)
    mask = torch.zeros_like(tokens, dtype=torch.bool)
    for row, sequence in enumerate(sequences):
        tokens[row, -sequence.shape[1] :], mask[row, -sequence.shape[1] :] = sequence[0], True
    return sequences, tokens, mask


# --- a language model ------------------------------------------------------------------------


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("attention", ATTENTIONS)
@pytest.mark.parametrize("use_cache", [True, False])
def test_prompts_are_continued_as_each_alone(generator, positions, attention, use_cache):
    model = language_model(positions, ATTENTIONS[attention])
    prompts, tokens, mask = padded(generator)
    written = model.generate(tokens, 6, mask=mask, use_cache=use_cache)[:, 7:]
    alone = torch.cat([model.generate(prompt, 6)[:, -6:] for prompt in prompts])
    assert_close(written, alone)
    if positions != "none":  # a control: the padding does matter where nobody says that it is one
        assert not torch.equal(model.generate(tokens, 6)[:, 7:], alone)


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("need_weights", [True, False])
def test_logits_with_positions_are_those_of_each_alone(generator, positions, need_weights):
    model = language_model(positions)
    sequences, tokens, mask = padded(generator)
    places = positions_behind_padding(mask)
    options = {"mask": mask[:, None, None], "need_weights": need_weights}
    logits, weights = model(tokens, positions=places, **options)
    for row, sequence in enumerate(sequences):
        expected, of_sequence = model(sequence, need_weights=need_weights)
        length = sequence.shape[1]
        assert_close(logits[row, -length:], expected[0])
        if need_weights:
            assert_close(weights[1][row, :, -length:, -length:], of_sequence[1][0])


@pytest.mark.parametrize("positions", ["learned", "sinusoidal", "rotary"])
def test_positions_may_be_any_for_each_token(generator, positions):
    """Two texts in one row: the second one begins at 0 again, and sees itself only."""
    model = language_model(positions)
    texts = [torch.randint(11, (1, n), generator=generator) for n in (3, 5)]
    places = torch.cat([torch.arange(3), torch.arange(5)])[None]
    own = torch.block_diag(torch.ones(3, 3), torch.ones(5, 5)).bool()
    logits, _ = model(torch.cat(texts, dim=1), mask=own, positions=places)
    assert_close(logits, torch.cat([model(text)[0] for text in texts], dim=1))
    swapped = places.flip(-1)  # they count
    moved, _ = model(torch.cat(texts, dim=1), mask=own, positions=swapped)
    assert not torch.allclose(moved, logits, atol=1e-3)


def test_a_state_takes_no_mask_and_says_so(generator):
    model = language_model("rotary", lambda rotary: LinearAttention(16, 4))
    _, tokens, mask = padded(generator)
    with pytest.raises(ValueError, match="mask must be None: a state cannot leave a key out"):
        model.generate(tokens, 2, mask=mask)
    places = torch.arange(7).expand(3, 7)  # it has nothing to turn by them
    assert_close(model(tokens, positions=places)[0], model(tokens)[0])


def test_learned_positions_count_tokens_and_no_padding(generator):
    model = language_model("learned")  # for 32 tokens
    _, tokens, mask = padded(generator, (2, 30, 4))
    wide, hidden = (torch.cat((x.new_zeros(3, 3), x), dim=1) for x in (tokens, mask))
    expected = model.generate(tokens, 2, mask=mask)[:, 30:]
    assert_close(model.generate(wide, 2, mask=hidden)[:, 33:], expected)
    with pytest.raises(ValueError, match=r"within max_len=32, got 30 \+ 3"):
        model.generate(wide, 3, mask=hidden)
    assert model.generate(tokens[:0], 32, mask=mask[:0]).shape == (0, 62)
    with pytest.raises(ValueError, match=r"within max_len=32, got 0 \+ 33"):
        model.generate(tokens[:0], 33, mask=mask[:0])


BAD_MASKS = [
    (torch.ones(2, 3).bool(), ValueError, r"the tokens' shape \(2, 4\), got \(2, 3\)$"),
    (torch.ones(2, 4), TypeError, "mask must be a boolean tensor, .* got torch.float32"),
    ([[True] * 4] * 2, TypeError, "mask must be a boolean tensor, .* got list"),
    (torch.tensor([[True] * 4, [True, True, True, False]]), ValueError, "on the left"),
    (torch.tensor([[True] * 4, [True, False, True, True]]), ValueError, "on the left"),
]


@pytest.mark.parametrize(("mask", "kind", "text"), BAD_MASKS)
def test_a_mask_that_is_no_left_padding_is_refused(mask, kind, text):
    with pytest.raises(kind, match=text):
        language_model("rotary").generate(torch.ones(2, 4, dtype=torch.long), 1, mask=mask)


def test_positions_that_do_not_fit_are_refused():
    tokens = torch.ones(1, 4, dtype=torch.long)
    for kind in POSITIONS:
        with pytest.raises(ValueError, match=r"positions must have shape .* = \(1, 4\)"):
            language_model(kind)(tokens, positions=torch.tensor([[0, 1, 2]]))
        with pytest.raises(ValueError, match="positions must be 0 or more"):
            language_model(kind)(tokens, positions=torch.tensor([[0, 1, -1, 2]]))
        with pytest.raises(TypeError, match="positions must be an integer tensor"):
            language_model(kind)(tokens, positions=torch.zeros(1, 4))


# --- a model that reads one sequence and writes another --------------------------------------


@pytest.mark.parametrize("positions", ["learned", "sinusoidal", "none"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_sources_and_targets_are_read_as_each_alone(generator, positions, side):
    torch.manual_seed(0)
    reader = EncoderDecoder(11, 11, 16, 4, 2, positions=positions, max_len=9).double().eval()
    with torch.no_grad():
        for part in (reader.source_embedding, reader.target_embedding, reader.head):
            part.weight.mul_(5)
    sequences, tokens, mask = padded(generator)
    if side == "right":
        mask = padding_mask([2, 7, 4], 7)[:, 0, 0]
        for row, sequence in enumerate(sequences):
            tokens[row] = torch.cat((sequence[0], tokens.new_zeros(7 - sequence.shape[1])))
    hidden = {"source_mask": mask[:, None, None], "target_mask": mask[:, None, None]}
    logits, _ = reader(tokens, tokens, **hidden)
    for row, sequence in enumerate(sequences):
        assert_close(logits[row, mask[row]], reader(sequence, sequence)[0][0])
    written = reader.generate(tokens, 6, start=1, source_mask=mask[:, None, None])
    assert_close(written, torch.cat([reader.generate(row, 6, start=1) for row in sequences]))

    memory, _ = reader.encode(tokens, hidden["source_mask"])
    caches, steps = reader.make_caches(3, 7, 7), []
    with torch.no_grad():
        for start, end in ((0, 5), (5, 7)):
            seen = hidden["target_mask"][..., :end]
            arguments = (tokens[:, start:end], memory, hidden["source_mask"])
            steps.append(reader.decode(*arguments, target_mask=seen, caches=caches)[0])
    assert_close(torch.cat(steps, dim=1)[mask], logits[mask])


# --- where torch only records ----------------------------------------------------------------


class WithPositions(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, tokens, positions):
        return self.model(tokens, positions=positions)[0]


@pytest.mark.parametrize("positions", POSITIONS[:3])
def test_positions_pass_through_compile_export_vmap_and_meta(generator, positions):
    model = WithPositions(language_model(positions)).eval()
    tokens = torch.randint(11, (2, 4), generator=generator)
    places = torch.tensor([[0, 0, 1, 2], [5, 6, 7, 8]])
    expected = model(tokens, places)
    assert_close(torch.compile(model, backend="eager", fullgraph=True)(tokens, places), expected)
    assert_close(torch.export.export(model, (tokens, places)).module()(tokens, places), expected)
    assert_close(torch.vmap(model)(tokens[:, None], places[:, None])[:, 0], expected)
    on_meta = WithPositions(language_model(positions)).to("meta")
    assert on_meta(tokens.to("meta"), places.to("meta")).shape == expected.shape
