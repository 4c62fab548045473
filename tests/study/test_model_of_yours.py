"""The code of lesson 16 that takes a reader's own model, with a small one in its place."""

import re

import pytest
import tokenizers
import transformers

from course_lib.widgets import ModelLab
from model_zoo import GPT2_SIZES
from tools.notebooks.notebook_files import ROOT, read_notebook

SENTENCE = "The capital of France is Paris"


def small_model(name, **settings):
    config = transformers.GPT2Config(**GPT2_SIZES, **settings, eos_token_id=None, bos_token_id=None)
    return transformers.GPT2LMHeadModel(config)


def small_tokenizer(name):
    words = {word: number for number, word in enumerate([*SENTENCE.split(), "?"])}
    split = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="?"))
    split.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=split)


def test_the_code_of_the_lesson_runs_on_another_model(monkeypatch, capsys):
    notebook = read_notebook(ROOT / "notebooks" / "16_real_language_model.ipynb")
    text = next(cell.source for cell in notebook.cells if cell.id == "model-of-yours")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    code, last = code.rstrip().rsplit("\n", 1)
    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", small_model)
    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", small_tokenizer)
    names = {"ModelLab": ModelLab}
    exec(code, names)
    lab = eval(last, names)
    printed = capsys.readouterr().out
    assert "self layer 1: 4 heads of 8 numbers" in printed and "with all heads" in printed
    assert len(names["found"].effects) == 8
    assert names["found"].before == pytest.approx(names["chance"]())
    assert lab.describe() == "ModelLab(2 layers of 4 heads, 1 stored run)"
    lab.off = [(1, 2)]
    assert lab.answer == {"text": "The capital of France is", "off": [[1, 2]], "message": ""}
