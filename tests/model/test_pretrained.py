"""Llama and GPT-2 in our own blocks give what the package transformers gives, head by head."""

import ast

import pytest
import torch
import transformers
from torch import nn
from transformers import (
    FalconConfig,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
)

from course_lib import DecoderLM
from course_lib.model.pretrained import assemble, from_gpt2, from_llama
from tools.notebooks.notebook_files import ROOT, read_notebook

VOCABULARY = 50


def randomised(model):
    """The same model with weights that do something: norms and biases too, and no small ones."""
    with torch.no_grad():
        for parameter in model.parameters():
            spread = 0.2 if parameter.dim() == 1 else 1 / parameter.shape[-1] ** 0.5
            parameter.add_(torch.randn_like(parameter) * spread)
    return model.eval()


def llama(**settings):
    settings = {
        "vocab_size": VOCABULARY,
        "hidden_size": 48,
        "intermediate_size": 72,
        "num_hidden_layers": 3,
        "num_attention_heads": 6,
        "num_key_value_heads": 2,
        "rope_parameters": {"rope_type": "default", "rope_theta": 300.0},
        "rms_norm_eps": 1e-3,
        "tie_word_embeddings": True,
        "attn_implementation": "eager",  # which returns the weights
        "eos_token_id": None,
        "bos_token_id": None,
    } | settings
    return randomised(LlamaForCausalLM(LlamaConfig(**settings)))


def gpt2(**settings):
    settings = {
        "vocab_size": VOCABULARY,
        "n_positions": 40,
        "n_embd": 48,
        "n_layer": 3,
        "n_head": 4,
        "attn_implementation": "eager",
        "eos_token_id": None,
        "bos_token_id": None,
    } | settings
    return randomised(GPT2LMHeadModel(GPT2Config(**settings)))


MODELS = {
    "Llama": lambda: llama(),
    "Llama, a head of keys for each": lambda: llama(num_key_value_heads=6),
    "Llama, one head of keys, own output": lambda: llama(
        num_key_value_heads=1, tie_word_embeddings=False
    ),
    "GPT-2": lambda: gpt2(),
    "GPT-2, small network, exact GELU": lambda: gpt2(
        n_inner=30, activation_function="gelu", layer_norm_epsilon=1e-3, tie_word_embeddings=False
    ),
}


def ours(theirs):
    return (from_llama if isinstance(theirs, LlamaForCausalLM) else from_gpt2)(theirs)


@pytest.fixture(params=MODELS)
def pair(request):
    torch.manual_seed(0)
    theirs = MODELS[request.param]()
    return ours(theirs), theirs


def tokens(batch=2, length=17):
    return torch.randint(VOCABULARY, (batch, length), generator=torch.Generator().manual_seed(1))


def close(actual, expected, atol=1e-5):
    torch.testing.assert_close(actual, expected, atol=atol, rtol=1e-5)


@torch.no_grad()
def test_logits_and_the_weights_of_every_head_are_equal(pair):
    model, theirs = pair
    expected = theirs(tokens(), output_attentions=True)
    logits, weights = model(tokens(), need_weights=True)
    assert expected.logits.std() > 0.5  # so that 1e-5 says something
    close(logits, expected.logits)
    close(model(tokens())[0], expected.logits)
    assert len(weights) == len(expected.attentions) == 3
    for layer, attentions in zip(weights, expected.attentions, strict=True):
        close(layer, attentions)


def test_the_same_tokens_are_generated(pair):
    model, theirs = pair
    prompt = tokens(3, 4)
    expected = theirs.generate(prompt, max_new_tokens=30, do_sample=False, use_cache=True)
    assert expected.shape == (3, 34) and len(expected[:, 4:].unique()) > 3
    for use_cache in (True, False):
        assert torch.equal(model.generate(prompt, 30, use_cache=use_cache), expected)


@torch.no_grad()
@pytest.mark.parametrize("make", [llama, gpt2])
def test_copies_stand_on_their_own(make):
    theirs = make()
    model = ours(theirs)
    before = model(tokens())[0]
    for parameter in theirs.parameters():
        parameter.zero_()
    assert torch.equal(model(tokens())[0], before)
    assert all(parameter.requires_grad for parameter in model.parameters())
    assert all(parameter.is_contiguous() for parameter in model.parameters())
    assert model.head.weight is model.embedding.weight
    size = sum(parameter.numel() for parameter in theirs.parameters())
    assert sum(parameter.numel() for parameter in model.parameters()) == size


@pytest.mark.parametrize("make", [llama, gpt2])
def test_copies_keep_dtype_and_mode(make):
    for training, dtype in ((True, torch.float64), (False, torch.bfloat16)):
        model = ours(make().to(dtype).train(training))
        assert model.training == training
        assert {parameter.dtype for parameter in model.parameters()} == {dtype}


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


SCALED = {"rope_type": "linear", "rope_theta": 1e4, "factor": 2.0}


@pytest.mark.parametrize(
    ("message", "make"),
    [
        ("attention_bias must be False, got True", lambda: llama(attention_bias=True)),
        ("mlp_bias must be False, got True", lambda: llama(mlp_bias=True)),
        ("hidden_act must be 'silu', got 'gelu'", lambda: llama(hidden_act="gelu")),
        ("head_dim must be 8, got 16", lambda: llama(head_dim=16)),
        ("rope_type must be 'default', got 'linear'", lambda: llama(rope_parameters=SCALED)),
        (
            r"activation_function must be one of \['gelu_new', .*'silu'\], got 'tanh'",
            lambda: gpt2(activation_function="tanh"),
        ),
        ("scale_attn_weights must be True, got False", lambda: gpt2(scale_attn_weights=False)),
        (
            "scale_attn_by_inverse_layer_idx must be False, got True",
            lambda: gpt2(scale_attn_by_inverse_layer_idx=True),
        ),
        ("add_cross_attention must be False, got True", lambda: gpt2(add_cross_attention=True)),
    ],
)
def test_what_our_blocks_lack_is_refused(message, make):
    with pytest.raises(ValueError, match=message):
        ours(make())


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


# --- padding on the left -------------------------------------------------------------------------


def padded_tokens():
    mask = torch.arange(7) >= torch.tensor([[5], [0], [3]])  # 2, 7 and 4 tokens
    return tokens(3, 7).where(mask, 0), mask


def test_prompts_padded_on_the_left_are_continued_as_transformers_does(pair):
    model, theirs = pair
    prompts, mask = padded_tokens()
    options = {"max_new_tokens": 12, "do_sample": False, "pad_token_id": 0}
    expected = theirs.generate(prompts, attention_mask=mask.long(), **options)
    for use_cache in (True, False):
        assert torch.equal(model.generate(prompts, 12, mask=mask, use_cache=use_cache), expected)
    assert not torch.equal(model.generate(prompts, 12), expected)


@torch.no_grad()
def test_positions_are_those_of_transformers(pair):
    """Any ones: with gaps, and twice the same."""
    model, theirs = pair
    positions = torch.randint(40, (2, 17), generator=torch.Generator().manual_seed(2))
    expected = theirs(tokens(), position_ids=positions).logits
    close(model(tokens(), positions=positions)[0], expected)
    assert (model(tokens())[0] - expected).abs().max() > 0.1


# --- models of other kinds -----------------------------------------------------------------------

SIZES = {"vocab_size": 11, "hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1}
SIZES |= {"num_attention_heads": 4, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}


@pytest.mark.parametrize("family", ["Mistral", "Qwen2", "Gemma", "Phi", "GPTNeoX", "OPT"])
def test_a_model_of_another_family_is_refused_in_words(family):
    config = getattr(transformers, f"{family}Config")(**SIZES)
    model = getattr(transformers, f"{family}ForCausalLM")(config)
    for copy_of, wanted, name in (
        (from_llama, "llama", "LlamaForCausalLM"),
        (from_gpt2, "gpt2", "GPT2LMHeadModel"),
    ):
        message = (
            f"model_type must be '{wanted}', got '{config.model_type}': "
            f"model must be a {name}, got {family}ForCausalLM"
        )
        with pytest.raises(ValueError, match=message):
            copy_of(model)


@pytest.mark.parametrize("copy_of", [from_llama, from_gpt2])
def test_what_is_no_model_of_transformers_is_refused_in_words(copy_of):
    for model in (nn.Linear(2, 2), LlamaConfig(), None):
        with pytest.raises(ValueError, match=f"model_type must be .* got {type(model).__name__}"):
            copy_of(model)
    other = gpt2() if copy_of is from_llama else llama()
    with pytest.raises(ValueError, match="model must be a .*, got (GPT2LMHead|LlamaForCausal)"):
        copy_of(other)


def test_models_that_lack_a_weight_are_refused_in_words():
    """Without a map to logits, with a wrapped projection, and with weights of 8 bits."""
    with pytest.raises(ValueError, match="must hold 'model.embed_tokens.weight' .* got nothing"):
        from_llama(llama().model)
    with pytest.raises(ValueError, match="must hold 'transformer.wte.weight' .* got nothing"):
        from_gpt2(gpt2().transformer)
    wrapped = llama()
    mlp = wrapped.model.layers[1].mlp
    mlp.up_proj = nn.Sequential(mlp.up_proj)
    with pytest.raises(ValueError, match="must hold 'model.layers.1.mlp.up_proj.weight'"):
        from_llama(wrapped)
    eight = llama(tie_word_embeddings=False)
    eight.lm_head.weight = nn.Parameter(eight.lm_head.weight.to(torch.int8), requires_grad=False)
    with pytest.raises(ValueError, match="'lm_head.weight' as floating numbers .* got torch.int8"):
        from_llama(eight)
