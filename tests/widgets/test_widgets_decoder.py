"""The model that the browser computes is torch's, on random models, sentences and heads."""

import json
import random
from pathlib import Path

import pytest
import torch

from course_lib import DecoderLM
from course_lib.data.checkpoints import load_checkpoint, manifest
from course_lib.study.ablation import run
from course_lib.widgets.packed_model import packed_model

SCRIPT = Path(__file__).parents[1] / "js" / "run_decoder.mjs"
VOCAB, LENGTH = 23, 12
CONFIGURATIONS = {
    "as GPT-2": {"max_len": LENGTH, "activation": "gelu_tanh", "tie_embeddings": True},
    "as Llama": {
        **{"positions": "rotary", "norm": "rms", "gated": True, "activation": "silu"},
        **{"bias": False, "num_kv_heads": 2},
    },
    "normalised afterwards": {"positions": "sinusoidal", "norm_first": False, "activation": "relu"},
    "neighbouring pairs": {
        "positions": "rotary",
        "rotary_base": 100.0,
        "rotary_pairing": "interleaved",
        "num_kv_heads": 1,
        "eps": 1e-2,
    },
    "attention only, no positions": {"positions": "none", "d_ff": 0},
    "gated GELU": {"positions": "sinusoidal", "gated": True, "norm": "rms", "eps": 1e-2},
}


@pytest.fixture(autouse=True)
def fresh_numbers():
    """Other numbers in every run; where a test fails, pytest shows the seed."""
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    torch.manual_seed(seed)
    random.seed(seed)


def random_model(options):
    """A model all of whose parameters are random, none at the 0 or 1 where it starts."""
    model = DecoderLM(VOCAB, 24, 4, 2, **({"d_ff": 40} | options)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.4 * torch.randn_like(parameter))
    return model


def random_runs(model, vocab_size, length):
    """Sentences of several lengths, each with some heads off."""
    blocks = model.stack.blocks
    heads = [(i, j) for i in range(len(blocks)) for j in range(blocks[0].attention.num_heads)]
    for count in (1, 2, length // 2, length):
        tokens = torch.randint(vocab_size, (count,)).tolist()
        for off in ([], random.sample(heads, 1), random.sample(heads, len(heads) // 2), heads):
            yield tokens, [list(head) for head in off]


@pytest.fixture
def javascript_answers(run_node):
    """A function that runs models in node: [(model, runs)] to what JavaScript computes."""

    def answer(cases):
        sent = [{"model": packed_model(model), "runs": runs} for model, runs in cases]
        return json.loads(run_node(SCRIPT, sent=sent))

    return answer


def assert_close(numbers, expected, rtol=0.0):
    found = torch.tensor(numbers, dtype=torch.float32).view(expected.shape)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=rtol)


def assert_equal_to_torch(model, runs, answers):
    assert runs
    for (tokens, off), answer in zip(runs, answers, strict=True):
        logits, weights = run(model, torch.tensor([tokens]), [tuple(head) for head in off])
        assert_close(answer["logits"], logits, rtol=1e-4)
        for layer, expected in zip(answer["weights"], weights, strict=True):
            assert_close(layer, expected)
        assert_close(answer["next"], logits[0, -1].softmax(dim=-1))


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_random_models(javascript_answers, name):
    model = random_model(CONFIGURATIONS[name])
    runs = list(random_runs(model, VOCAB, LENGTH))
    [answers] = javascript_answers([(model, runs)])
    assert_equal_to_torch(model, runs, answers)


@pytest.mark.parametrize("name", sorted(manifest()))
def test_the_trained_models(javascript_answers, name):
    model, options = load_checkpoint(name), manifest()[name]["options"]
    runs = list(random_runs(model, options["vocab_size"], options["max_len"]))
    [answers] = javascript_answers([(model, runs)])
    assert_equal_to_torch(model, runs, answers)


def test_a_trained_model_is_sent_in_half_the_bytes_and_a_random_one_whole():
    trained = load_checkpoint("agreement")
    sent = packed_model(trained)["packed"]
    numbers = sum(parameter.numel() for parameter in trained.parameters())
    assert sent["bits"] == 16
    assert len(sent["data"]) == 4 * -(-2 * numbers // 3)
    assert packed_model(random_model({"max_len": 5}))["packed"]["bits"] == 32


def test_numbers_that_float16_can_only_just_hold(javascript_answers):
    """The smallest, the largest and subnormal float16 numbers survive the journey."""
    model = DecoderLM(4, 4, 1, 1, d_ff=0, positions="none").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half())
        model.head.weight[0] = torch.tensor([65504.0, -(2.0**-24), 2.0**-14, 1023 * 2.0**-24])
        model.stack.norm.weight[:] = torch.tensor([2.0**-14, 1.0, 65504.0, 1.0])
    assert packed_model(model)["packed"]["bits"] == 16
    runs = [([0, 1, 2, 3], [])]
    [answers] = javascript_answers([(model, runs)])
    assert_equal_to_torch(model, runs, answers)
