"""Weights that others trained, in a DecoderLM; it is GPT-2 where it has GPT-2's."""

import ast

import pytest
import torch
from transformers import FalconConfig, GPT2Config, GPT2LMHeadModel, LlamaConfig, MistralConfig

from course_lib import DecoderLM
from course_lib.model.pretrained import assemble
from tools.notebooks.notebook_files import ROOT, read_notebook

GPT2_PARTS = {
    "attention_norm": "ln_1",
    "attention.out_proj": "attn.c_proj",
    "feed_forward_norm": "ln_2",
    "feed_forward.up_proj": "mlp.c_fc",
    "feed_forward.down_proj": "mlp.c_proj",
}


@torch.no_grad()
def test_gpt2s_weights_give_its_logits_its_maps_and_its_words():
    sizes = {"n_positions": 40, "n_embd": 48, "n_layer": 3, "n_head": 4, "pad_token_id": 0}
    sizes |= {"eos_token_id": None, "bos_token_id": None, "attn_implementation": "eager"}
    theirs = GPT2LMHeadModel(GPT2Config(vocab_size=50, **sizes)).eval()
    for parameter in theirs.parameters():  # so that each of them does something
        parameter.add_(0.2 * torch.randn_like(parameter))
    their = theirs.transformer.state_dict()
    state = {"embedding.weight": their["wte.weight"], "positions.weight": their["wpe.weight"]}
    for kind in ("weight", "bias"):
        state[f"stack.norm.{kind}"] = their[f"ln_f.{kind}"]
        for i in range(3):
            # Their matrices take x from the left, (in, out), where a Linear holds (out, in).
            parts = their[f"h.{i}.attn.c_attn.{kind}"].t().chunk(3)
            for name, part in zip(("q_proj", "k_proj", "v_proj"), parts, strict=True):
                state[f"stack.blocks.{i}.attention.{name}.{kind}"] = part
            for our_part, their_part in GPT2_PARTS.items():
                state[f"stack.blocks.{i}.{our_part}.{kind}"] = their[
                    f"h.{i}.{their_part}.{kind}"
                ].t()
    options = {"max_len": 40, "activation": "gelu_tanh", "tie_embeddings": True}
    ours = assemble(state, vocab_size=50, d_model=48, num_heads=4, num_layers=3, **options).eval()

    mask = torch.arange(9) >= torch.tensor([[5], [0], [3]])  # padding on the left
    tokens = torch.randint(1, 50, (3, 9)).where(mask, 0)
    places = torch.randint(40, (3, 9))
    expected = theirs(tokens, position_ids=places, output_attentions=True)
    logits, weights = ours(tokens, positions=places, need_weights=True)
    assert expected.logits.std() > 0.5  # so that the tolerance says something
    torch.testing.assert_close(logits, expected.logits, atol=1e-4, rtol=1e-4)
    for layer, attentions in zip(weights, expected.attentions, strict=True):
        torch.testing.assert_close(layer, attentions, atol=1e-5, rtol=1e-4)
    written = theirs.generate(
        tokens, attention_mask=mask.long(), max_new_tokens=12, do_sample=False
    )
    for use_cache in (True, False):
        assert torch.equal(ours.generate(tokens, 12, mask=mask, use_cache=use_cache), written)


def test_assembling_draws_nothing_and_wants_every_weight():
    options = {"vocab_size": 11, "d_model": 8, "num_heads": 2, "num_layers": 1, "max_len": 4}
    source = DecoderLM(**options)
    before = torch.get_rng_state()
    model = assemble(source.state_dict(), **options)
    assert torch.equal(torch.get_rng_state(), before)
    assert all(map(torch.equal, model.state_dict().values(), source.state_dict().values()))
    state = source.state_dict()
    del state["stack.norm.bias"]
    with pytest.raises(RuntimeError, match="Missing key.*stack.norm.bias"):
        assemble(state, **options)
    with pytest.raises(RuntimeError, match="Unexpected key.*stack.norm.bias"):
        assemble(source.state_dict(), **options, bias=False)
    with pytest.raises(RuntimeError, match="size mismatch for embedding.weight"):
        assemble(source.state_dict(), **options | {"vocab_size": 12})


def test_sizes_in_lesson_13_are_those_of_transformers():
    """Of these, the configuration that transformers makes without arguments is the model's own."""
    notebook = read_notebook(ROOT / "notebooks" / "13_cache_and_shared_heads.ipynb")
    (cell,) = (cell for cell in notebook.cells if cell.source.startswith("models = {"))
    models = ast.literal_eval(ast.parse(cell.source).body[0].value)
    llama, mistral = LlamaConfig(), MistralConfig()
    gpt2, falcon = GPT2Config(), FalconConfig()
    assert falcon.multi_query  # one key head for all
    for name, config, kv_heads in (
        ("GPT-2", gpt2, gpt2.num_attention_heads),
        ("Llama 2 7B", llama, llama.num_key_value_heads),
        ("Mistral 7B", mistral, mistral.num_key_value_heads),
        ("Falcon 7B", falcon, 1),
    ):
        heads = config.num_attention_heads
        sizes = (config.num_hidden_layers, heads, kv_heads, config.hidden_size // heads)
        assert models[name] == sizes, name
