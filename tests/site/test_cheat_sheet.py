"""The cheat sheet is true: its shapes, masks, names and counts are tried, its lessons are there."""

import pydoc
import re

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

import course_lib
from tools.notebooks.notebook_files import ROOT
from tools.site.syllabus import LESSONS

SHEET = (ROOT / "docs" / "cheat_sheet.md").read_text(encoding="utf-8")
B, T, T_K, D, H, V = 2, 8, 5, 64, 4, 100


def rows(heading):
    """The rows of the table in a section, as lists of cells."""
    section = SHEET.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def test_the_shapes_are_true():
    attention, block = course_lib.MultiHeadAttention(D, H), course_lib.TransformerBlock(D, H)
    x, memory = torch.randn(B, T, D), torch.randn(B, T_K, D)
    tokens = torch.zeros(B, T, dtype=torch.long)
    heads = attention.q_proj(x).view(B, T, H, D // H).transpose(1, 2)
    torch.testing.assert_close(heads.transpose(1, 2).reshape(B, T, D), attention.q_proj(x))
    tensors = {
        "tokens": tokens,
        "stream, before and after a block": block(x)[0],
        "queries by head": heads,
        "weights of self-attention": attention(x, need_weights=True)[1],
        "weights of cross-attention": attention(x, memory, need_weights=True)[1],
        "causal mask": course_lib.causal_mask(T),
        "padding mask": course_lib.padding_mask([3, T], T),
        "hidden numbers of the network": block.feed_forward.up_proj(x),
        "logits": course_lib.DecoderLM(V, D, H, 1, max_len=T)(tokens)[0],
        "`q_proj.weight`": attention.q_proj.weight,
        "rows of one head in it": attention.q_proj.weight[D // H : 2 * D // H],
        "`up_proj.weight`": block.feed_forward.up_proj.weight,
    }
    sizes = {"B": B, "T": T, "T_q": T, "T_k": T_K, "d": D, "h": H, "V": V, "1": 1}
    sizes |= {"d_k": D // H, "d_ff": 4 * D}
    table = dict(rows("Shapes"))
    assert set(table) == set(tensors)
    for name, shape in table.items():
        wanted = tuple(sizes[letter] for letter in shape.strip("()").split(", "))
        assert tuple(tensors[name].shape) == wanted, name


def test_the_masks_mean_what_the_sheet_says():
    x = torch.randn(2, 4, 8)
    only_first = torch.tensor([True, False, False, False]).expand(4, 4)
    theirs = nn.MultiheadAttention(8, 2, batch_first=True)
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
    last_changed = x.clone()
    last_changed[:, -1] += 1.0

    def ours(x):
        return course_lib.scaled_dot_product_attention(x, x, x, mask=only_first)[0]

    def first_output_stays(call):  # key 3 is False in the mask: is query 0 blind to it?
        return torch.equal(call(x)[:, 0], call(last_changed)[:, 0])

    sdpa = "`torch.nn.functional.scaled_dot_product_attention`"
    module, encoder = "`torch.nn.MultiheadAttention`", "`torch.nn.TransformerEncoderLayer`"
    padding = only_first[:2]
    calls = {
        ("this course", "`mask`"): ours,
        (sdpa, "`attn_mask`"): lambda x: F.scaled_dot_product_attention(
            x, x, x, attn_mask=only_first
        ),
        (module, "`attn_mask`"): lambda x: theirs(x, x, x, attn_mask=only_first)[0],
        (module, "`key_padding_mask`"): lambda x: theirs(x, x, x, key_padding_mask=padding)[0],
        (encoder, "`src_mask`"): lambda x: layer(x, src_mask=only_first),
        (encoder, "`src_key_padding_mask`"): lambda x: layer(x, src_key_padding_mask=padding),
    }
    table = {(where, argument): meaning for where, argument, meaning in rows("Masks")}
    assert set(table) == set(calls)
    for name, call in calls.items():
        assert table[name] == ("may attend" if first_output_stays(call) else "may NOT attend")


def test_the_counts_are_true():
    d, layers, length = 64, 3, 10
    counts = {what: number for what, number in rows("Counting")}

    def size(module):
        return sum(parameter.numel() for parameter in module.parameters())

    assert size(course_lib.MultiHeadAttention(d, 4)) == 4 * d**2 + 4 * d
    assert counts["parameters of attention, with biases"] == "$4d^2 + 4d$"
    assert size(course_lib.TransformerBlock(d, 4)) == 12 * d**2 + 13 * d
    assert counts["parameters of a block, with biases and $d_{ff} = 4d$"] == "$12d^2 + 13d$"
    gpt2 = course_lib.DecoderLM(
        50257, 768, 12, 12, max_len=1024, tie_embeddings=True, device="meta"
    )
    assert counts["parameters of GPT-2 small"] == f"{size(gpt2):,}"
    model = course_lib.DecoderLM(7, d, 4, layers, max_len=length, device="meta")
    with FlopCounterMode(display=False) as counter:
        model(torch.zeros(1, length, dtype=torch.long, device="meta"))
    blocks, mix = 24 * layers * length * d**2, 4 * layers * length**2 * d
    assert counter.get_total_flops() == blocks + mix + 2 * length * d * 7  # and to the vocabulary
    assert counts["operations of $L$ blocks on $N$ tokens, their matrices"] == "$24 L N d^2$"
    assert counts["the same, scores and mix"].startswith("$4 L N^2 d$;")
    model = course_lib.DecoderLM(7, d, 4, layers, max_len=length)
    held = [tensor for cache in model.make_caches(1, length) for tensor in vars(cache).values()]
    kept = sum(4 * tensor.numel() for tensor in held if isinstance(tensor, torch.Tensor))
    assert kept == 8 * layers * length * d
    cache = course_lib.MultiHeadAttention(d, 4, num_kv_heads=2).make_cache(1, length)
    kept = sum(4 * held.numel() for held in vars(cache).values() if isinstance(held, torch.Tensor))
    assert kept == 8 * 1 * length * d * 2 / 4


def test_the_names_exist():
    names = re.findall(r"`((?:torch|course_lib)\.[\w.]+)`", SHEET)
    assert len(names) > 10
    assert [name for name in names if pydoc.locate(name) is None] == []
    block = course_lib.TransformerBlock(8, 2, cross_attention=True, norm="rms")
    layer = nn.TransformerEncoderLayer(8, 2, 16)
    parameters = {part for name, _ in block.named_parameters() for part in name.split(".")}
    theirs = {part for name, _ in layer.named_parameters() for part in name.split(".")}
    for ours, other in rows("Names in torch"):
        for name in re.findall(r"`(\w+(?:_proj|_norm)|attention)`", ours):
            assert name in parameters, name
        for name in re.findall(r"`(self_attn|\w+_proj\w*|norm\d|linear\d)`", other):
            assert name in theirs, name
    assert layer.norm_first is False and layer.activation is F.relu
    assert block.norm_first is True and block.feed_forward.activation == "gelu"


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda lesson: lesson.name)
def test_every_lesson_that_is_there_has_its_line(lesson):
    lines = [line for name, line in rows("The lessons") if f"{lesson.number} " in name]
    assert len(lines) == 1
    assert all(line.endswith(".") and len(line.split()) < 30 for line in lines)
