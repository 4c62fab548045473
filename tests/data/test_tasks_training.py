"""Each task is what it says, sample by sample; training learns, repeats and stops on nonsense."""

import datetime
import re

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.optim.optimizer import register_optimizer_step_pre_hook

from course_lib import DecoderLM
from course_lib.data.tasks import (
    AGREEMENT_WORDS,
    IGNORE,
    MONTHS,
    PAD,
    PLURAL_NOUNS,
    PLURAL_VERBS,
    SINGULAR_NOUNS,
    SINGULAR_VERBS,
    agreement_ids,
    agreement_sentences,
    agreement_text,
    copy_task,
    date_task,
    date_text,
    is_grammatical,
    pointer_task,
    previous_symbol_task,
    repeated_sequences,
    reversal_task,
)
from course_lib.data.training import fit
from course_lib.study.heads import induction_targets
from reference_attention import PROPERTY


def seeded(seed=0):
    return torch.Generator().manual_seed(seed)


DRAWS = {
    "copy": lambda g: copy_task(32, 3, 9, generator=g),
    "reversal": lambda g: reversal_task(32, 3, 9, generator=g),
    "pointer": lambda g: pointer_task(32, 2, generator=g),
    "repeated": lambda g: repeated_sequences(32, generator=g),
    "previous": lambda g: previous_symbol_task(32, 9, generator=g),
    "agreement": lambda g: agreement_sentences(32, generator=g),
    "date": lambda g: date_task(32, generator=g),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_the_generator_alone_decides_the_batch(draw):
    torch.manual_seed(1)
    first = draw(seeded(7))
    torch.manual_seed(2)
    for a, b in zip(first, draw(seeded(7)), strict=True):
        assert torch.equal(a, b)
    generator = seeded(7)
    draw(generator)
    assert not torch.equal(draw(generator)[0], first[0])  # the next batch is a new one
    assert not torch.equal(draw(seeded(8))[0], first[0])


@PROPERTY
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(0, 6))
def test_copy_and_reversal_by_their_definition(seed, min_len, more):
    for task, is_reversed in ((copy_task, False), (reversal_task, True)):
        source, target, lengths = task(5, min_len, min_len + more, generator=seeded(seed))
        for row, length in enumerate(lengths.tolist()):
            assert min_len <= length <= min_len + more
            symbols = source[row, :length].tolist()
            assert all(0 < symbol < 16 for symbol in symbols)
            assert target[row, :length].tolist() == (symbols[::-1] if is_reversed else symbols)
            assert (source[row, length:] == PAD).all() and (target[row, length:] == PAD).all()


def test_lengths_and_symbols_are_all_drawn():
    source, _, lengths = copy_task(2000, 3, 6, generator=seeded())
    assert set(lengths.tolist()) == {3, 4, 5, 6}
    assert set(source.unique().tolist()) == {*range(16)}


@PROPERTY
@given(st.integers(0, 10**6), st.integers(1, 16))
def test_pointers_are_distinct_and_targets_are_their_items(seed, k):
    items, pointers, targets = pointer_task(4, k, num_queries=5, generator=seeded(seed))
    assert items.shape == (4, 16) and pointers.shape == targets.shape == (4, 5, k)
    for b in range(4):
        for q in range(5):
            chosen = pointers[b, q].tolist()
            assert len(set(chosen)) == k
            assert targets[b, q].tolist() == [items[b, p].item() for p in chosen]


def test_repeated_sequences_repeat_a_distinct_segment():
    tokens, periods, is_predictable = repeated_sequences(500, generator=seeded())
    assert tokens.shape == (500, 48) and set(periods.tolist()) == set(range(8, 25))
    for row, period in enumerate(periods.tolist()):
        segment = tokens[row, :period].tolist()
        assert len(set(segment)) == period
        assert tokens[row].tolist() == [segment[i % period] for i in range(48)]
    # A token can be foreseen when the token before it has an induction target.
    assert torch.equal(is_predictable[:, 1:], induction_targets(tokens).any(-1)[:, :-1])
    assert not is_predictable[:, 0].any()


def test_previous_symbol_targets():
    tokens, targets = previous_symbol_task(20, 7, generator=seeded())
    assert (targets[:, 0] == IGNORE).all() and torch.equal(targets[:, 1:], tokens[:, :-1])


# --- agreement ---------------------------------------------------------------------------------


@pytest.mark.parametrize("max_distractors", [0, 1, 2, 4])
def test_agreement_sentences_agree(max_distractors):
    batch = agreement_sentences(1000, max_distractors=max_distractors, generator=seeded())
    lengths = set()
    for tokens, length, subject, verb, is_plural, is_attractor in zip(*batch, strict=True):
        assert is_grammatical(tokens)
        words = agreement_text(tokens)
        assert len(words) == length and (tokens[length:] == PAD).all()
        assert words[subject] in (PLURAL_NOUNS if is_plural else SINGULAR_NOUNS)
        assert words[verb] in (PLURAL_VERBS if is_plural else SINGULAR_VERBS)
        assert is_attractor == ((words[verb - 1] in PLURAL_NOUNS) != is_plural)
        lengths.add(len(words))
    assert lengths == {6 + 3 * n for n in range(max_distractors + 1)}
    assert 0.45 < batch.is_plural.double().mean() < 0.55
    expected = max_distractors / (max_distractors + 1) / 2
    assert abs(batch.is_attractor.double().mean().item() - expected) < 0.05


def test_every_word_of_the_grammar_is_used():
    used = agreement_sentences(4000, generator=seeded()).tokens.unique()
    assert used.tolist() == list(range(len(AGREEMENT_WORDS)))
    assert len(set(AGREEMENT_WORDS)) == len(AGREEMENT_WORDS) == 57
    assert AGREEMENT_WORDS[PAD] == "<pad>"


GRAMMATICAL = """
<start> the keys near the cabinet are old .
<start> the keys near the cabinet are old . <pad> <pad>
<start> the key is old .
<start> the key near the keys behind the doors above the lamp was red .
"""
UNGRAMMATICAL = """
<start> the keys near the cabinet is old .
<start> the key near the cabinets are old .
<start> the keys near the cabinet are old
<start> the keys near the cabinet are .
<start> the keys near the cabinet old .
<start> the keys the cabinet near are old .
<start> the keys near cabinet are old .
<start> near the cabinet are old .
the keys are old .
<start> the keys are old . the
<start> the keys <pad> are old .
<start> the are old .
<start> .
.
"""


def test_is_grammatical():
    for text, expected in ((GRAMMATICAL, True), (UNGRAMMATICAL, False)):
        for sentence in text.strip().split("\n"):
            assert is_grammatical(agreement_ids(*sentence.split())) is expected, sentence


# --- dates -------------------------------------------------------------------------------------


def test_dates_mean_the_same_in_both_forms():
    source, target, lengths = date_task(3000, generator=seeded())
    forms = set()
    for row in range(3000):
        text = date_text(source[row])
        assert len(text) == lengths[row] and (source[row, lengths[row] :] == PAD).all()
        words = text.replace(",", "").split()
        (month_word,) = [word for word in words if word.isalpha()]
        day, year = (int(word) for word in words if word.isdigit())
        month = next(i for i, name in enumerate(MONTHS, 1) if name.startswith(month_word))
        assert date_text(target[row]) == datetime.date(year, month, day).isoformat()
        forms.add((words[0].isalpha(), "," in text, len(month_word) == 3))
    assert {(False, False, True), (False, False, False), (True, True, False)} <= forms
    assert lengths.max() == 18


# --- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message, draw",
    [
        ("min_len must be at most max_len 3, got 4", lambda g: copy_task(2, 4, 3, generator=g)),
        ("batch_size must be at least 1, got 0", lambda g: reversal_task(0, generator=g)),
        ("num_pointers must be at most 16, got 17", lambda g: pointer_task(2, 17, generator=g)),
        (
            "max_period must be between min_period 8 and vocab_size 20, got 24",
            lambda g: repeated_sequences(2, vocab_size=20, generator=g),
        ),
        ("length must be at least 1, got 0", lambda g: previous_symbol_task(2, 0, generator=g)),
        (
            "max_distractors must be 0 or more, got -1",
            lambda g: agreement_sentences(2, max_distractors=-1, generator=g),
        ),
        ("batch_size must be at least 1, got 0", lambda g: date_task(0, generator=g)),
        ("words must be in AGREEMENT_WORDS, got 'dog'", lambda g: agreement_ids("the", "dog")),
    ],
)
def test_bad_sizes_are_refused(message, draw):
    with pytest.raises(ValueError, match=re.escape(message)):
        draw(seeded())


# --- training ----------------------------------------------------------------------------------


def small_loss(model, generator):
    x = torch.randn(8, 3, generator=generator)
    return (model(x) - x.sum(dim=-1, keepdim=True)).square().mean(), {"size": x.norm().item()}


def test_fit_records_every_step_and_leaves_eval_mode():
    model = nn.Linear(3, 1)
    before = [p.detach().clone() for p in model.parameters()]
    state = torch.get_rng_state()
    history = fit(model, small_loss, steps=20, lr=1e-3, progress=False)
    assert torch.equal(torch.get_rng_state(), state)  # the global one is left alone
    assert set(history) == {"loss", "gradient_norm", "learning_rate", "size"}
    assert all(len(numbers) == 20 for numbers in history.values())
    assert max(history["learning_rate"]) == pytest.approx(1e-3)
    assert history["learning_rate"][0] < 1e-4 and history["learning_rate"][-1] < 1e-4
    assert not model.training
    assert not any(torch.equal(a, b) for a, b in zip(before, model.parameters(), strict=True))
    constant = fit(model, small_loss, steps=5, lr=1e-3, warmup=None, progress=False)
    assert constant["learning_rate"] == [1e-3] * 5


def train_small_language_model(seed):
    torch.manual_seed(0)
    model = DecoderLM(57, 16, 2, 1, max_len=12, dropout=0.2)
    torch.seed()  # what the global state is does not matter

    def compute_loss(model, generator):
        tokens = agreement_sentences(8, generator=generator).tokens
        logits, _ = model(tokens[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), ignore_index=PAD)

    return fit(model, compute_loss, steps=6, seed=seed, progress=False)["loss"]


def test_a_seed_repeats_the_training_dropout_included():
    assert train_small_language_model(3) == train_small_language_model(3)
    assert train_small_language_model(3) != train_small_language_model(4)


def test_long_gradients_are_shortened():
    model, stepped = nn.Linear(1, 1, bias=False), []

    def steep(model, _):
        return 50 * model(torch.ones(1, 1)).sum()

    watch = register_optimizer_step_pre_hook(lambda *_: stepped.append(model.weight.grad.item()))
    history = fit(model, steep, steps=3, max_grad_norm=0.5, progress=False)
    watch.remove()
    assert history["gradient_norm"] == pytest.approx([50.0] * 3)
    assert stepped == pytest.approx([0.5] * 3, rel=1e-3)


def test_a_loss_that_is_not_finite_stops_the_training():
    model = nn.Linear(1, 1)
    with pytest.raises(FloatingPointError, match="loss must be finite, got nan at step 0"):
        fit(model, lambda m, _: m(torch.ones(1, 1)).sum() * torch.nan, steps=3, progress=False)
    with pytest.raises(ValueError, match="steps must be at least 1, got 0"):
        fit(model, lambda m, _: m(torch.ones(1, 1)).sum(), steps=0, progress=False)


def test_the_progress_bar_can_be_switched_off(capsys):
    model = nn.Linear(1, 1)
    for progress in (True, False):
        fit(model, lambda m, _: m(torch.ones(1, 1)).square().sum(), steps=3, progress=progress)
        shown = capsys.readouterr().err
        assert "/3" in shown if progress else shown == ""
