"""SentenceLab on a page: the browser runs the model, and every number is torch's."""

import math
import random
import re
from itertools import combinations, product

import pytest
import torch

from course_lib import DecoderLM
from course_lib.data.checkpoints import load_checkpoint
from course_lib.data.tasks import AGREEMENT_WORDS, agreement_ids
from course_lib.study.ablation import run
from course_lib.widgets import SentenceLab

TEXT = "<start> the keys near the cabinet"
ALL_HEADS = list(product(range(2), range(8)))


@pytest.fixture(scope="module")
def model():
    return load_checkpoint("agreement")


def probabilities(model, text, off=()):
    logits, weights = run(model, agreement_ids(*text.split())[None], off)
    return logits[0, -1].softmax(dim=-1), torch.cat(weights)


def switch(page, *heads):
    for layer, head in heads:
        page.get_by_role("button", name=f"switch off layer {layer}, head {head}").click()


def table(page):
    """The shown words, and the columns of percentages as (mean, lowest, highest)."""
    rows = {}
    for row in page.locator(".cw-next tbody tr").all():
        cells = row.locator("td:not(.cw-cell)").all_inner_texts()
        cells[1:2] = [cell.split()[0] for cell in cells[1:2]]  # without the change
        texts = [re.findall(r"<?[\d.]+", cell) for cell in cells]
        columns = [[float(text.replace("<0.1", "0.04")) / 100 for text in one] for one in texts]
        rows[row.get_by_role("rowheader").inner_text()] = columns
    return rows


def check_next(page, model, text, off, choices):
    """The table shows torch's probabilities, and the mean and range without these choices."""
    with_all, _ = probabilities(model, text)
    without, _ = probabilities(model, text, off)
    others = torch.stack([probabilities(model, text, heads)[0] for heads in choices or [()]])
    likely = torch.maximum(with_all, without).topk(8).indices.tolist()
    rows = table(page)
    assert len(rows) == 8
    found = sorted(AGREEMENT_WORDS.index(word) for word in rows)
    smallest = torch.maximum(with_all, without)
    assert smallest[found].min() >= smallest[likely].min() - 1e-4  # ties may go either way
    for word, columns in rows.items():
        token = AGREEMENT_WORDS.index(word)
        expected = [[with_all[token].item()]]
        if off:
            expected.append([without[token].item()])
        if choices:
            ours = others[:, token]
            expected.append([one.item() for one in (ours.mean(), ours.min(), ours.max())])
        assert len(columns) == len(expected)
        for shown, wanted in zip(columns, expected, strict=True):
            assert shown[0] == pytest.approx(wanted[0], abs=0.00061)
            if len(choices) > 1 and len(wanted) == 3:
                assert shown[1:] == pytest.approx(wanted[1:], abs=0.0051)


def test_heads_off_beside_all_choices_of_as_many_others(open_page, model):
    with open_page(SentenceLab(model, AGREEMENT_WORDS, TEXT, off=[])) as page:
        check_next(page, model, TEXT, [], [])
        best = random.choice(ALL_HEADS)
        switch(page, best)
        same = [[head] for head in ALL_HEADS if head[0] == best[0] and head != best]
        check_next(page, model, TEXT, [best], same)
        assert page.get_by_text("the mean of all 7 choices of 1 other head, of the same layer;")
        second = random.choice([head for (head,) in same])
        switch(page, second)
        off = sorted([best, second])
        left = [head for (head,) in same if head != second]
        check_next(page, model, TEXT, off, [list(two) for two in combinations(left, 2)])
        assert page.get_by_text("the mean of all 15 choices of 2 other heads").is_visible()
        status = page.get_by_role("status").inner_text()
        names = ", ".join(f"{layer}.{head}" for layer, head in off)
        without, _ = probabilities(model, TEXT, off)
        top = AGREEMENT_WORDS[int(without.argmax())]
        assert status.startswith(f"After “cabinet”, without {names}: “{top}”, ")
        switch(page, best, second)  # on again
        check_next(page, model, TEXT, [], [])


def test_where_there_are_not_as_many_others_it_says_so(open_page, model):
    with open_page(SentenceLab(model, AGREEMENT_WORDS, TEXT, off=ALL_HEADS[:8])) as page:
        assert page.get_by_text("of the same layers as far as there are any").is_visible()
        switch(page, (1, 0))
        assert page.get_by_text("There are not as many other heads").is_visible()
        assert page.locator(".cw-next th.cw-chance").count() == 0
        page.get_by_role("button", name="switch all on").click()
        check_next(page, model, TEXT, [], [])


def test_the_words_weights_and_maps_are_torchs(open_page, model):
    words = random.choices(AGREEMENT_WORDS, k=9)
    text = " ".join(words)
    with open_page(SentenceLab(model, AGREEMENT_WORDS, TEXT, off=[])) as page:
        page.get_by_label("sentence", exact=True).fill(f"  {text} ")
        page.get_by_role("button", name="Read").click()
        check_next(page, model, text, [], [])
        _, weights = probabilities(model, text)
        chips = page.get_by_role("radiogroup", name="word that looks").get_by_role("radio")
        for layer, head in random.sample(ALL_HEADS, 4):
            button = page.get_by_role("button", name=f"switch off layer {layer}, head {head}")
            button.hover()
            query = random.randrange(9)
            # The keyboard chooses the word, so that the pointer stays on the head.
            checked = page.get_by_role("radio", checked=True).first
            checked.evaluate("(chip, i) => chip.parentNode.children[i].click()", query)
            texts = chips.all_inner_texts()
            row = weights[layer, head, query]
            for key, (shown, word) in enumerate(zip(texts, words, strict=True)):
                *_, number = shown.split()
                assert shown.startswith(word)
                if key > query:
                    assert number == "later"
                else:
                    assert float(number[:-1]) / 100 == pytest.approx(row[key].item(), abs=0.00061)
            # While pointing, title, sentence and numbers speak of one head and one word.
            name = f"layer {layer}, head {head}"
            assert page.get_by_role("heading", name=f"Where {name} looks").is_visible()
            assert page.get_by_text(f"{name}: “{words[query]}” looks most at").is_visible()
            pixels = button.locator("canvas").evaluate(
                "canvas => [...canvas.getContext('2d').getImageData(0, 0, 9, 9).data]"
            )
            alpha = torch.tensor(pixels).view(9, 9, 4)[..., 3]
            assert torch.equal(alpha == 255, torch.ones(9, 9).tril().bool())


def test_errors_are_said_in_words_and_the_picture_stays(open_page, model):
    with open_page(SentenceLab(model, AGREEMENT_WORDS, TEXT, off=[])) as page:
        field, alert = page.get_by_label("sentence", exact=True), page.get_by_role("alert")
        shown = page.get_by_role("status").inner_text()
        for text, message in {
            "the dog": "The model has no word 'dog'. Did you mean 'door'?",
            "the Keys zzzzzz": "The model has no word 'Keys'. Did you mean 'keys'? "
            "The model has no word 'zzzzzz'.",
            "   ": "The sentence is empty. Type a word, or click one.",
            "the " * 13: "The model reads at most 12 words, and this sentence has 13.",
        }.items():
            field.fill(text)
            field.press("Enter")
            assert alert.inner_text() == message
            assert page.get_by_role("status").inner_text() == shown
        field.fill("the key")
        field.press("Enter")
        assert alert.inner_text() == ""
        check_next(page, model, "the key", [], [])


def test_words_are_chips(open_page, model):
    with open_page(SentenceLab(model, AGREEMENT_WORDS, TEXT, off=[])) as page:
        page.get_by_role("button", name="add 'are'").click()
        assert page.get_by_label("sentence", exact=True).input_value() == TEXT + " are"
        check_next(page, model, TEXT + " are", [], [])
        for _ in range(2):
            page.get_by_role("button", name="remove the last word").click()
        check_next(page, model, TEXT.rsplit(" ", 1)[0], [], [])
        chips = page.get_by_role("button", name="add '")
        assert chips.all_inner_texts() == list(AGREEMENT_WORDS)


def test_variants_switch_and_the_untrained_one_is_marked(open_page, model):
    untrained = DecoderLM(57, 64, 8, 2, max_len=12).eval()
    models = {"trained": model, "untrained": untrained.half().float()}
    with open_page(SentenceLab(models, AGREEMENT_WORDS, TEXT, off=[])) as page:
        mark = page.locator("strong.cw-untrained")
        assert not mark.is_visible()
        page.get_by_role("radio", name="untrained", exact=True).click()
        assert mark.is_visible()
        check_next(page, models["untrained"], TEXT, [], [])


def test_the_keyboard_alone_switches_heads(open_page, model):
    with open_page(SentenceLab(model, AGREEMENT_WORDS, TEXT, off=[])) as page:
        page.get_by_role("button", name="switch off layer 0, head 0").focus()
        for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "End", "ArrowLeft"):
            page.keyboard.press(key)
        focused = page.evaluate("document.activeElement.ariaLabel")
        assert focused == "0.6: switch off layer 0, head 6"
        assert page.get_by_role("heading", name="Where layer 0, head 6 looks").is_visible()
        page.keyboard.press("Space")
        assert "without 0.6" in page.get_by_role("status").inner_text()
        pressed = page.get_by_role("button", pressed=True)
        assert pressed.get_attribute("aria-label") == focused
        assert page.locator('.cw-switches [tabindex="0"]').count() == 1


def test_many_heads_are_compared_with_a_lot_that_is_matched_and_repeatable(open_page, model):
    off = ALL_HEADS[0:3] + ALL_HEADS[8:11]
    assert math.comb(5, 3) ** 2 > 20
    with_all, _ = probabilities(model, TEXT)
    free = [head for head in ALL_HEADS if head not in off]
    every = [
        probabilities(model, TEXT, [*first, *second])[0]
        for first in combinations([head for head in free if head[0] == 0], 3)
        for second in combinations([head for head in free if head[0] == 1], 3)
    ]
    shown = []
    for _ in range(2):
        with open_page(SentenceLab(model, AGREEMENT_WORDS, TEXT, off=off)) as page:
            assert page.get_by_text("the mean of 20 choices by lot of 6 other heads").is_visible()
            shown.append(table(page))
    assert shown[0] == shown[1]
    everything = torch.stack(every)  # all 100 matched choices
    for word, (_, _, (mean, low, high)) in shown[0].items():
        ours = everything[:, AGREEMENT_WORDS.index(word)]
        assert ours.min() - 0.0051 <= low <= mean + 0.0051 <= high + 0.0102
        assert high <= ours.max() + 0.0051
        assert abs(mean - ours.mean()) <= 4 * ours.std() / 20**0.5 + 0.001
