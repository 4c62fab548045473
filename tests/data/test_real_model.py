"""Models in GGUF files: a small one made here, and SmolLM2 itself, fetched once."""

import copy
import ctypes
import gc
import re
import sys
from functools import cache
from pathlib import Path
from unittest import mock

import gguf
import pytest
import torch
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM
from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

from course_lib.data import real_model
from course_lib.data.real_model import SMOLLM2, encode, load_smollm2, read_gguf
from course_lib.data.recorded import load_maps
from course_lib.study.ablation import heads_off, run
from refusals import refuses
from small_gguf import VOCABULARY, small_llama, write_gguf


def close(actual, expected, atol):
    torch.testing.assert_close(actual, expected, atol=atol, rtol=0)


@pytest.fixture(scope="module")
def small():
    return small_llama()


@pytest.fixture(scope="module")
def small_file(small, tmp_path_factory):
    return write_gguf(tmp_path_factory.mktemp("gguf") / "small.gguf", small)


@torch.no_grad()
def test_a_small_model_is_read_with_its_settings_and_the_order_of_its_rows(small, small_file):
    model, _ = read_gguf(small_file)
    assert not model.training and model.head.weight is model.embedding.weight
    tokens = torch.randint(len(VOCABULARY), (2, 15))
    logits, weights = model(tokens, need_weights=True)
    expected = small(tokens, output_attentions=True)
    assert expected.logits.std() > 0.1
    close(logits, expected.logits, 2e-2)  # 8 bits a weight
    for layer, attentions in zip(weights, expected.attentions, strict=True):
        close(layer, attentions, 5e-3)
    for i, block in enumerate(model.stack.blocks):  # what is not rounded is exactly there
        theirs = small.model.layers[i]
        assert torch.equal(block.attention_norm.weight, theirs.input_layernorm.weight)
    assert model.stack.blocks[0].attention_norm.eps == pytest.approx(1e-3)


def test_a_small_model_can_be_of_another_dtype_and_be_trained(small_file):
    model, _ = read_gguf(small_file, dtype=torch.bfloat16)
    assert {parameter.dtype for parameter in model.parameters()} == {torch.bfloat16}
    model(torch.zeros(1, 3, dtype=torch.long))[0].float().square().mean().backward()
    assert all(parameter.grad is not None for parameter in model.parameters())


def test_text_becomes_tokens_and_text_again(small_file):
    _, tokenizer = read_gguf(small_file)
    tokens, pieces = encode(tokenizer, "Hot the 42the<|end|>")
    assert pieces == ["H", "o", "t", " the", " ", "4", "2", "t", "he", "<|end|>"]
    assert tokens.shape == (1, 10) and tokens.dtype == torch.int64
    assert tokens[0, 3] == VOCABULARY.index("Ġthe") and tokens[0, -1] == 0
    assert tokenizer.decode(tokens[0].tolist(), skip_special_tokens=False) == "".join(pieces)
    text = "naïve 日本 😀\n\ttabs"
    tokens, pieces = encode(tokenizer, text)
    assert tokenizer.decode(tokens[0].tolist()) == text and len(pieces) == tokens.shape[1]
    tokens, pieces = encode(tokenizer, "")
    assert tokens.shape == (1, 0) and pieces == []


def test_other_files_are_refused(small, tmp_path):
    path = write_gguf(tmp_path / "a.gguf", small, architecture="gpt2")
    refuses(ValueError, "must have general.architecture 'llama', got 'gpt2'", read_gguf, path)
    path = write_gguf(tmp_path / "b.gguf", small, pre="llama-bpe")
    refuses(ValueError, "tokenizer.ggml.pre 'smollm', got 'llama-bpe'", read_gguf, path)
    path = write_gguf(tmp_path / "c.gguf", small, left_out="blk.1.ffn_gate.weight")
    refuses(RuntimeError, "Missing key.*stack.blocks.1.feed_forward.gate_proj", read_gguf, path)
    half = path.read_bytes()
    (tmp_path / "e.gguf").write_bytes(half[: half.index(b"tokenizer.ggml.tokens") + 60])
    with pytest.raises(ValueError, match="e.gguf ends within a list: it is no whole GGUF file"):
        read_gguf(tmp_path / "e.gguf")
    (tmp_path / "d.gguf").write_bytes(b"no such thing" * 10)
    refuses(ValueError, "GGUF", read_gguf, tmp_path / "d.gguf")


NOT_COMPUTED = {"rope.scaling.type": "yarn", "rope.scaling.factor": 8.0, "rope.dimension_count": 8}
NOT_COMPUTED |= {"attention.sliding_window": 4, "attention.key_length": 32, "expert_count": 4}


@pytest.mark.parametrize(("key", "value"), NOT_COMPUTED.items())
def test_a_file_of_what_is_not_computed_is_refused(small, tmp_path, key, value):
    path = write_gguf(tmp_path / "a.gguf", small, also={f"llama.{key}": value})
    refuses(ValueError, f"must have llama.{key} .*, got {value!r}", read_gguf, path)


def test_a_file_that_says_what_is_computed_is_read(small, tmp_path):
    said = {"rope.scaling.type": "none", "rope.scaling.factor": 1.0, "rope.dimension_count": 16}
    also = {f"llama.{key}": value for key, value in (said | {"expert_count": 0}).items()}
    read_gguf(write_gguf(tmp_path / "a.gguf", small, also=also))


@pytest.mark.parametrize("name", ["gguf", "tokenizers"])
def test_what_is_not_installed_is_named_before_anything_is_fetched(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(real_model, "fetch", None)
    refuses(ImportError, "run  pip install gguf tokenizers", load_smollm2)


# --- the real one -------------------------------------------------------------------------------

CHECKSUM = [12.136, 5.211, 3.082, 4.481, 3.207]  # mean size of the logits at each token
TEXTS = [
    "The capital of France is",
    "The bank by the river approved my loan",
    "It's naïve, isn't it?\n\n    def f(x):\n\treturn 'x'  # 日本 😀",
]


def transformers_model(path):
    """The same file as the package transformers reads it, which permutes the rows back itself."""
    settings = load_gguf_checkpoint(path, return_tensors=False)["config"]
    model = LlamaForCausalLM(LlamaConfig(**settings, attn_implementation="eager"))
    tensors = load_gguf_checkpoint(path, return_tensors=True, model_to_load=model)["tensors"]
    missing, unexpected = model.load_state_dict(tensors, strict=False, assign=True)
    assert (missing, unexpected) == (["lm_head.weight"], [])
    model.tie_weights()
    return model.eval()


def peak():
    """The most memory that this process has held, in MB."""
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1000


@pytest.fixture(scope="module")
def smollm2():
    """The model, its tokenizer and the MB that loading took; the 93 MB are fetched once."""
    if sys.platform != "linux":
        return *load_smollm2(), None
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # else what other tests have freed would be taken again
    Path("/proc/self/clear_refs").write_text("5")  # the most is now what it holds
    before = peak()
    return *load_smollm2(), peak() - before


@pytest.mark.needs_real_model
@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells the memory")
def test_the_weights_are_held_once_while_they_are_read(smollm2):
    assert 400 < smollm2[2] < 1000  # the weights, and what reading takes


def test_the_device_and_the_dtype_reach_the_reader(monkeypatch):
    monkeypatch.setattr(real_model, "fetch", lambda asset: asset.member)
    monkeypatch.setattr(real_model, "read_gguf", lambda path, **given: (path, given))
    given = {"device": "meta", "dtype": torch.bfloat16}
    assert load_smollm2(**given) == (SMOLLM2.member, given)


@pytest.mark.needs_real_model
@torch.no_grad()
def test_smollm2_gives_the_numbers_that_are_stored(smollm2):
    """The test below compares it with transformers, at night."""
    model, tokenizer, _ = smollm2
    assert sum(parameter.numel() for parameter in model.parameters()) == 134_515_008
    tokens, pieces = encode(tokenizer, TEXTS[0])
    assert pieces == ["The", " capital", " of", " France", " is"]
    assert tokenizer.decode(model.generate(tokens, 8)[0].tolist()).startswith(TEXTS[0] + " Paris")
    logits, _ = model(tokens)
    close(logits[0, -1].topk(3).values, torch.tensor([17.371, 14.889, 13.245]), 1e-2)
    close(logits.abs().mean(dim=(0, 2)), torch.tensor(CHECKSUM), 1e-2)
    for text, (stored_pieces, stored) in (load_maps() | load_maps(kept_aside=True)).items():
        tokens, pieces = encode(tokenizer, text)
        assert pieces == stored_pieces, "run `make record X=real_maps`"
        close(torch.cat(model(tokens, need_weights=True)[1]), stored, 1e-3)
    # Transformers does not know that SmolLM2 takes each digit alone, llama.cpp does.
    assert encode(tokenizer, "1984")[1] == ["1", "9", "8", "4"]

    tokens, _ = encode(tokenizer, TEXTS[-1])
    exact = model(tokens)[0].log_softmax(dim=-1)
    rounded = copy.deepcopy(model).bfloat16()(tokens)[0].float().log_softmax(dim=-1)
    divergence = (exact.exp() * (exact - rounded)).sum(dim=-1)  # transformers' is about 0.0015
    assert 0 < divergence.mean() < 0.01


@pytest.mark.nightly
@pytest.mark.needs_real_model
@torch.no_grad()
def test_smollm2_is_the_model_that_transformers_runs(smollm2):
    path = real_model.fetch(SMOLLM2)
    model, tokenizer, _ = smollm2
    # They would parse the whole file for the tokenizer, the config and the tensors each.
    with mock.patch.object(gguf, "GGUFReader", cache(gguf.GGUFReader)):
        their_tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
        theirs = transformers_model(path)
    for text in TEXTS:
        tokens, pieces = encode(tokenizer, text)
        assert tokens[0].tolist() == their_tokenizer(text).input_ids
        expected = theirs(tokens, output_attentions=True)
        logits, weights = model(tokens, need_weights=True)
        close(logits, expected.logits, 1e-3)
        for layer, attentions in zip(weights, expected.attentions, strict=True):
            close(layer, attentions, 1e-4)
    for off in ([(26, 0)], [(0, 3), (12, 7), (27, 8)]):
        with heads_off(theirs, off):
            close(theirs(tokens).logits, run(model, tokens, off)[0], 1e-3)
    tokens, _ = encode(tokenizer, TEXTS[-1])
    expected = theirs.generate(tokens, max_new_tokens=12, do_sample=False)
    assert torch.equal(model.generate(tokens, expected.shape[1] - tokens.shape[1]), expected)


@pytest.mark.needs_real_model
def test_lesson_16_says_what_its_lab_shows(smollm2):
    model, tokenizer, _ = smollm2

    def probability(text, word, off=()):
        logits = run(model, encode(tokenizer, text)[0], off)[0][0, -1]
        return round(logits.softmax(dim=-1)[tokenizer.encode(word).ids[0]].item(), 2)

    keys, france = "The keys near the old cabinet", "The capital of France is"
    assert [probability(keys, verb) for verb in (" are", " is")] == [0.13, 0.01]
    assert [probability(keys, verb, [(26, 0)]) for verb in (" are", " is")] == [0.05, 0.07]
    assert probability(france, " Paris") == 0.77
    without = [probability(france, " Paris", [(23, head)]) for head in range(9)]
    assert without[4] == 0.14 and sum(share < 0.2 for share in without) == 1
