"""ModelLab without a browser."""

import base64
import json
from contextlib import ExitStack
from itertools import product

import pytest
import torch
import traitlets

from course_lib import DecoderLM
from course_lib.study.ablation import others_like
from course_lib.widgets import ModelLab

WORDS = list("abcdefghijklmn")
TEXT = "a b c a b d"
STEP = 1 / 510 + 1e-6  # the largest error of a weight or a score


def encode(text):
    pieces = text.split()
    return torch.tensor([[WORDS.index(piece) for piece in pieces]]), pieces


def decode(number):
    return WORDS[number]


@pytest.fixture
def model():
    """A model whose heads make a difference: attention is sharp and what it brings is large."""
    model = DecoderLM(len(WORDS), 12, 3, 4, positions="rotary", num_kv_heads=1).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(2.0)
        model.head.weight.normal_(std=0.3)
    return model


def numbers(text, *shape):
    """The numbers in a text of the widget."""
    return torch.frombuffer(bytearray(base64.b64decode(text)), dtype=torch.uint8).view(*shape) / 255


@torch.no_grad()
def truth(model, text, off=()):
    """Probabilities (vocab_size,), weights (layers, heads, length, length) and the eight words that
    are written, without the lab and without a cache."""
    tokens, _ = encode(text)
    length = tokens.shape[1]
    with ExitStack() as restored:
        for layer, head in off:
            weight = model.stack.blocks[layer].attention.out_proj.weight  # (d_model, d_model)
            columns = slice(4 * head, 4 * head + 4)  # what this head writes
            before = weight.clone()
            weight[:, columns] = 0
            restored.callback(weight.copy_, before)
        logits, weights = model(tokens, need_weights=True)
        for _ in range(8):
            tokens = torch.cat([tokens, model(tokens)[0][:, -1:].argmax(dim=-1)], dim=1)
    line = "".join(WORDS[token] for token in tokens[0, length:])
    return torch.softmax(logits[0, -1].float(), dim=0), torch.cat(weights).float(), line


def assert_is_run(run, model, text, off, atol=1e-4):
    """The run holds what the model gives, with all heads and without some."""
    all_on, _, before = truth(model, text)
    without, weights, after = truth(model, text, off)
    assert (run["text"], run["off"]) == (text, [list(head) for head in off])
    assert run["pieces"] == text.split()
    length = len(run["pieces"])
    shown = torch.zeros(4, 3, length, length)
    shown[..., *torch.tril_indices(length, length).unbind()] = numbers(run["weights"], 4, 3, -1)
    assert (shown - weights).abs().max() <= STEP
    tokens, on, gone, *chance = zip(*run["next"], strict=True)
    numbers_of = [WORDS.index(token) for token in tokens]
    assert on == pytest.approx(all_on[numbers_of].tolist(), abs=atol)
    assert gone == pytest.approx(without[numbers_of].tolist(), abs=atol)
    assert list(on) == sorted(on, reverse=True)
    assert len(chance) == (3 if off and 2 * len(off) <= 12 else 0)
    if chance:
        free = [head for head in product(range(4), range(3)) if head not in off]
        others = [truth(model, text, others_like(off, free, draw)) for draw in range(20)]
        columns = torch.stack([p for p, _, _ in others])[:, numbers_of]
        mean_and_range = columns.mean(0), columns.amin(0), columns.amax(0)
        for got, wanted in zip(chance, mean_and_range, strict=True):
            assert got == pytest.approx(wanted.tolist(), abs=atol)
    left_out = [i for i in range(len(WORDS)) if i not in numbers_of]
    assert torch.maximum(all_on, without)[left_out].max() <= min(map(max, on, gone)) + atol
    if atol > 1e-3:
        return  # a coarse model may take another of two likely words
    assert (run["before"], run["after"]) == (before, after)
    if chance:
        lines = [line for _, _, line in others]
        assert run["control"] == {
            "same": lines.count(before),
            "done": 20,
            "of": 20,
            "others": list(dict.fromkeys(line for line in lines if line != before)),
        }
    else:
        assert run["control"] is None


def test_stored_runs_are_what_the_model_gives(model):
    off = [(0, 1), (2, 0), (2, 2)]
    runs = [(TEXT, [(2, 2), (0, 1), (2, 0), (0, 1)]), ("c a", []), (TEXT, [])]
    lab = ModelLab(model, encode, decode, TEXT, runs=runs, top=4)
    stored = lab._stored
    assert len(stored) == 3  # the last one is the first text, which is there already
    for run, (text, heads) in zip(stored, [(TEXT, []), (TEXT, off), ("c a", [])], strict=True):
        assert len(run["next"]) == 4
        assert_is_run(run, model, text, heads)
    assert max(abs(before - after) for _, before, after, *_ in stored[1]["next"]) > 1e-3
    assert repr(lab) == "ModelLab(4 layers of 3 heads, 3 stored runs)"


def test_the_lab_opens_on_what_shows_something(model):
    lab = ModelLab(model, encode, decode, TEXT, runs=[("c a", [(0, 0)]), (TEXT, [(1, 1)])])
    assert (lab.text, lab.off) == (TEXT, [[1, 1]])
    grid = numbers(lab._stored[2]["scores"]["previous token"], 4, 3)
    assert grid[lab.layer, lab.head] == grid.max()
    for *_, mean, low, high in lab._stored[2]["next"]:
        assert low <= mean <= high
    lab.off = [(layer, head) for layer in range(3) for head in range(3)]
    assert {len(entry) for entry in lab._live["next"]} == {3}  # there are not as many others


def test_scores_are_means_of_weights(model):
    scores = ModelLab(model, encode, decode, TEXT)._stored[0]["scores"]
    _, weights, _ = truth(model, TEXT)
    expected = {
        "previous token": weights[..., range(1, 6), range(5)].mean(-1),
        "first token": weights[..., 1:, 0].mean(-1),
        "own token": weights[..., range(6), range(6)].mean(-1),
        # a b c a b d: the second a (3) looks at b (1), the second b (4) at c (2)
        "induction": (weights[..., 3, 1] + weights[..., 4, 2]) / 2,
    }
    assert scores.keys() == expected.keys()
    for name, text in scores.items():
        assert (numbers(text, 4, 3) - expected[name]).abs().max() <= STEP
    # No pair of tokens to look at: no number.
    assert ModelLab(model, encode, decode, "a b c")._stored[0]["scores"]["induction"] is None
    one = ModelLab(model, encode, decode, "a")._stored[0]["scores"]
    assert [name for name, text in one.items() if text] == ["own token"]


def test_a_new_text_and_other_heads_are_run(model):
    calls = []

    def counted(text):
        calls.append(text)
        return encode(text)

    lab = ModelLab(model, counted, decode, TEXT, runs=[(TEXT, [(1, 1)])])
    seen = []
    lab.observe(lambda change: seen.append(change["new"]["control"]), "_live")
    lab.off = [(3, 2), (0, 0)]
    assert lab.off == [[0, 0], [3, 2]]
    assert len(seen) == 2 and seen[0] is None  # what is written comes before the control
    assert_is_run(lab._live, model, TEXT, [(0, 0), (3, 2)])
    lab.text = "b b a c"
    assert_is_run(lab._live, model, "b b a c", [(0, 0), (3, 2)])
    assert lab.answer == {"text": "b b a c", "off": [[0, 0], [3, 2]], "message": ""}
    calls.clear()
    lab.text = TEXT  # the heads are still off
    assert calls == [TEXT]
    with lab.hold_trait_notifications():  # as a click in the browser arrives
        lab.text, lab.off = "c c", [(1, 0)]
    assert calls == [TEXT, "c c"]
    assert_is_run(lab._live, model, "c c", [(1, 0)])
    with lab.hold_trait_notifications():
        lab.text, lab.off = TEXT, [(1, 1)]
    assert calls == [TEXT, "c c"]  # this run is stored


def test_heads_that_are_switched_meet_the_model_as_it_is_now(model):
    lab = ModelLab(model, encode, decode, TEXT)
    lab.off = [(0, 1)]
    with torch.no_grad():
        model.head.weight.normal_(std=0.3)
    lab.off = [(1, 2)]
    assert_is_run(lab._live, model, TEXT, [(1, 2)])


def test_what_goes_wrong_is_said_and_the_last_picture_stays(model):
    lab = ModelLab(model, encode, decode, "a b", max_tokens=3)
    lab.off = [(1, 1)]
    live = lab._live
    for text, words in {
        "a z": "ValueError: 'z' is not in list",
        "  ": "ValueError: text must not be empty, got '  '",
        "a b c d": "ValueError: at most 3 tokens fit, this text has 4",
    }.items():
        lab.text = text
        assert (lab.answer["text"], lab.answer["off"]) == (text, [[1, 1]])
        assert lab.answer["message"].startswith(words)
        assert lab._live is live
    lab.text = "c"
    assert lab.answer["message"] == ""
    assert_is_run(lab._live, model, "c", [(1, 1)])


def test_tokens_are_texts_that_can_be_seen(model):
    pieces = [" the", " ", "line\nbreak", "</script>"]
    lab = ModelLab(
        model,
        lambda text: (torch.tensor([[0, 1, 2, 3]]), pieces),
        lambda number: ["", "  ", "\t", "<b>"][number % 4],
        "<i>text",
        top=len(WORDS),
    )
    assert lab._stored[0]["pieces"] == [" the", "␣", r"line\nbreak", "</script>"]
    shown = {token for token, *_ in lab._stored[0]["next"]}
    assert shown == {"token 0", "token 4", "token 8", "token 12", "␣␣", r"\t", "<b>"}
    assert "<i>" not in lab.still() and "&lt;i&gt;text" in lab.still()
    assert lab.to_html().count("</script>") == 1


def test_a_model_may_compute_in_bfloat16():
    model = DecoderLM(len(WORDS), 12, 3, 4, positions="rotary", num_kv_heads=1).eval()
    lab = ModelLab(model.to(torch.bfloat16), encode, decode, TEXT, runs=[(TEXT, [(1, 1)])])
    assert_is_run(lab._stored[1], model, TEXT, [(1, 1)], atol=0.03)


def test_a_page_shows_what_is_not_stored_too(model):
    lab = ModelLab(model, encode, decode, TEXT)
    lab.off = [(2, 1)]
    assert json.dumps(lab._live["weights"]) in lab.to_html()


def returns(tokens):
    return {"encode": lambda text: (tokens, ["a"])}


@pytest.mark.parametrize(
    ("error", "words", "arguments"),
    [
        (TypeError, "model must be a DecoderLM .* got Linear", {"model": torch.nn.Linear(2, 2)}),
        (TypeError, "max_tokens must be an integer", {"max_tokens": 4.0}),
        (ValueError, "top must be at least 1, got 0", {"top": 0}),
        (ValueError, "text must not be empty, got ' '", {"text": " "}),
        (ValueError, "at most 5 tokens fit, this text has 6", {"max_tokens": 5}),
        (ValueError, r"pair \(layer from 0 to 3, head from 0 to 2\), got \(4, 0\)", [(4, 0)]),
        (ValueError, r"got \(0, 3\)", [(0, 3)]),
        (ValueError, r"got \(-1, 0\)", [(-1, 0)]),
        (ValueError, r"got \(1, 1, 1\)", [(1, 1, 1)]),
        (ValueError, "got 3", [3]),
        (ValueError, r"got \(True, 0\)", [(True, 0)]),
        (ValueError, "got 'ab'", ["ab"]),
        (TypeError, "encode must be an integer tensor .* got list", returns([0])),
        (ValueError, r"a piece for each of .* got \(1, 2\) and 1", returns(torch.tensor([[0, 1]]))),
        (ValueError, r"got \(2, 1\) and 1 pieces", returns(torch.tensor([[0], [1]]))),
        (traitlets.TraitError, "layer must be from 0 to 3, got 4", {"layer": 4}),
        (traitlets.TraitError, "head must be from 0 to 2, got 3", {"head": 3}),
    ],
)
def test_bad_input_is_named(model, error, words, arguments):
    if isinstance(arguments, list):
        arguments = {"runs": [(TEXT, arguments)]}
    usual = {"model": model, "encode": encode, "decode": decode, "text": TEXT}
    with pytest.raises(error, match=words):
        ModelLab(**(usual | arguments))


# --- a model of transformers ---------------------------------------------------------------------


class Words:
    """What the lab asks of a tokenizer of transformers, for a few words."""

    def __call__(self, text):
        return {"input_ids": [WORDS.index(piece) for piece in text.split()]}

    def decode(self, tokens):
        return "".join(WORDS[token] for token in tokens)

    def convert_ids_to_tokens(self, tokens):
        return [WORDS[token] for token in tokens]


@pytest.mark.parametrize("name", ["GPT2LMHeadModel", "LlamaForCausalLM"])
def test_a_model_of_transformers_and_its_tokenizer(name):
    transformers = pytest.importorskip("transformers")
    settings = {"vocab_size": 14, "hidden_size": 12, "num_hidden_layers": 2, "n_inner": 24}
    settings |= {"num_attention_heads": 3, "max_position_embeddings": 16}
    settings |= {"bos_token_id": None, "eos_token_id": None, "attn_implementation": "eager"}
    if name.startswith("Llama"):
        settings |= {"num_key_value_heads": 1, "intermediate_size": settings.pop("n_inner")}
    kind = getattr(transformers, name)
    model = kind(kind.config_class(**settings)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.5 * torch.randn_like(parameter))
    lab = ModelLab(model, Words(), text=TEXT)
    assert lab.describe() == "ModelLab(2 layers of 3 heads, 1 stored run)"
    tokens, _ = encode(TEXT)
    before = model(tokens).logits[0, -1].softmax(dim=-1)
    with_all = {text: p for text, p, *_ in lab._stored[0]["next"]}
    assert with_all[WORDS[before.argmax()]] == pytest.approx(before.max().item(), abs=1e-4)
    off = [(1, 2), (0, 0)]
    lab.off = off
    assert lab.answer["message"] == ""
    with torch.no_grad():
        for layer, head in off:
            layers = [m for m in model.modules() if type(m).__name__.endswith("Attention")]
            attention = layers[layer]
            if name.startswith("Llama"):
                attention.o_proj.weight[:, 4 * head : 4 * head + 4] = 0
            else:
                attention.c_proj.weight[4 * head : 4 * head + 4] = 0
    after = model(tokens, output_attentions=True)
    gone = after.logits[0, -1].softmax(dim=-1)
    for text, _, probability, *chance in lab._live["next"]:
        assert len(chance) == 3
        assert probability == pytest.approx(gone[WORDS.index(text)].item(), abs=1e-4)
    shown = torch.zeros(2, 3, 6, 6)
    shown[..., *torch.tril_indices(6, 6).unbind()] = numbers(lab._live["weights"], 2, 3, -1)
    assert (shown - torch.cat(after.attentions)).abs().max() <= STEP
    written = model.generate(
        tokens, attention_mask=torch.ones_like(tokens), max_new_tokens=8, do_sample=False,
        pad_token_id=0,
    )  # fmt: skip
    assert lab._live["after"] == Words().decode(written[0, 6:].tolist())


def test_models_of_transformers_that_do_not_fit_are_refused():
    transformers = pytest.importorskip("transformers")
    small = {"hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3}
    small |= {"vocab_size": 14, "intermediate_size": 16, "num_key_value_heads": 3}
    bert = transformers.BertModel(transformers.BertConfig(**small)).eval()
    with pytest.raises(TypeError, match="that writes after a text, got BertModel"):
        ModelLab(bert, Words(), text=TEXT)
    config = transformers.LlamaConfig(**small, attn_implementation="sdpa")
    with pytest.raises(TypeError, match='attn_implementation="eager"'):
        ModelLab(transformers.LlamaForCausalLM(config).eval(), Words(), text=TEXT)
    with pytest.raises(TypeError, match="decode must be None with a tokenizer; write text="):
        ModelLab(transformers.LlamaForCausalLM(config).eval(), Words(), TEXT)
