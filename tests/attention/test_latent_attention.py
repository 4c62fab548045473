"""LatentAttention: both forms against their equations, transformers' DeepSeek-V2 and properties."""

import re

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from comparing_modules import close, randomize_biases_and_norms
from course_lib import LatentAttention, RotaryEmbedding, scaled_dot_product_attention
from reference_attention import DTYPES, PROPERTY

TOLERANCES = dict(zip(DTYPES, (1e-12, 2e-5, 2e-2, 1e-1), strict=True))


def reference(module, x, mask, is_causal):
    """Output and weights in float64, from the equations and the attention of plain heads."""
    weight = {name: tensor.detach().double() for name, tensor in module.state_dict().items()}

    def project(name, x):
        return x @ weight[f"{name}.weight"].T

    def normed(name, x):
        return weight[f"{name}.weight"] * x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt()

    def heads(name, x):
        return project(name, x).unflatten(-1, (module.num_heads, -1)).transpose(1, 2)

    x = x.double()
    latent = normed("latent_norm", project("latent_down", x))
    query, key = heads("query_up", x), heads("key_up", latent)
    if module.rotary_dim:
        own = module.rotary(project("rotary_key", x))[:, None].expand(-1, module.num_heads, -1, -1)
        asks = module.rotary(heads("rotary_query", x))
        query, key = torch.cat((query, asks), dim=-1), torch.cat((key, own), dim=-1)
    value, options = heads("value_up", latent), {"mask": mask, "is_causal": is_causal}
    output, weights = scaled_dot_product_attention(query, key, value, **options)
    return project("out_proj", output.transpose(1, 2).flatten(2)), weights


@st.composite
def modules(draw):
    torch.manual_seed(draw(st.integers(0, 2**31)))
    rotary_dim = draw(st.sampled_from([0, 2, 4, 6]))
    module = LatentAttention(
        draw(st.sampled_from([6, 12])),
        draw(st.sampled_from([1, 2, 3])),
        draw(st.integers(1, 9)),
        head_dim=draw(st.sampled_from([None, 1, 5])),
        rotary=RotaryEmbedding(rotary_dim, pairing="interleaved") if rotary_dim else None,
        dtype=torch.float64,
    )
    return randomize_biases_and_norms(module)


@st.composite
def cases(draw, max_len=5):
    """A module, its input, a mask or None (some rows are empty), is_causal."""
    module = draw(modules())
    batch, length = draw(st.integers(1, 3)), draw(st.integers(1, max_len))
    x = torch.randn(batch, length, module.d_model, dtype=torch.float64)
    each_head = (batch, module.num_heads, length, length)
    shape = draw(st.sampled_from([None, (length, length), (batch, 1, 1, length), each_head]))
    mask = None if shape is None else torch.rand(shape) < 0.6
    return module, x, mask, draw(st.booleans())


# --- both forms and the truth ------------------------------------------------------------------


@PROPERTY
@given(cases(), st.sampled_from(list(TOLERANCES)), st.booleans())
def test_both_forms_match_float64(case, dtype, absorb):
    module, x, mask, is_causal = case
    module, x = module.to(dtype), x.to(dtype)
    output, weights = reference(module, x, mask, is_causal)
    options = {"mask": mask, "is_causal": is_causal, "absorb": absorb}
    fused, no_weights = module(x, **options)
    shown, shown_weights = module(x, need_weights=True, **options)
    assert no_weights is None
    assert fused.dtype == shown.dtype == shown_weights.dtype == dtype
    close(fused.double(), output, TOLERANCES[dtype])
    close(shown.double(), output, TOLERANCES[dtype])
    close(shown_weights.double(), weights, TOLERANCES[dtype])


@PROPERTY
@given(cases())
def test_both_forms_and_paths_have_the_same_finite_gradients(case):
    module, x, mask, is_causal = case
    probe, gradients = torch.randn_like(x), []
    for absorb in (False, True):
        for need_weights in (False, True):
            own = x.clone().requires_grad_()
            options = {"mask": mask, "is_causal": is_causal, "need_weights": need_weights}
            output, _ = module(own, absorb=absorb, **options)
            sources = [own, *module.parameters()]
            gradients.append(torch.autograd.grad((output * probe).sum(), sources))
    for others in gradients[1:]:
        for expected, other in zip(gradients[0], others, strict=True):
            assert other.isfinite().all()
            close(other, expected, 1e-10)


def test_it_is_deepseek_v2_of_transformers():
    config_of = pytest.importorskip("transformers.models.deepseek_v2.configuration_deepseek_v2")
    theirs_of = pytest.importorskip("transformers.models.deepseek_v2.modeling_deepseek_v2")
    heads, size, rotary_dim, latent_dim = 4, 8, 6, 10
    sizes = {"hidden_size": 32, "num_attention_heads": heads, "num_key_value_heads": heads}
    sizes |= {"kv_lora_rank": latent_dim, "q_lora_rank": None, "qk_nope_head_dim": size}
    sizes |= {"qk_rope_head_dim": rotary_dim, "head_dim": rotary_dim, "v_head_dim": size}
    options = {"attention_bias": False, "attn_implementation": "eager"}
    config = config_of.DeepseekV2Config(**sizes, **options)
    theirs = randomize_biases_and_norms(theirs_of.DeepseekV2Attention(config, layer_idx=0).eval())
    rotary = RotaryEmbedding(rotary_dim, pairing="interleaved")
    ours = LatentAttention(32, heads, latent_dim, head_dim=size, rotary=rotary)
    with torch.no_grad():
        queries = theirs.q_proj.weight.unflatten(0, (heads, size + rotary_dim))
        ours.query_up.weight.copy_(queries[:, :size].flatten(0, 1))
        ours.rotary_query.weight.copy_(queries[:, size:].flatten(0, 1))
        ours.latent_down.weight.copy_(theirs.kv_a_proj_with_mqa.weight[:latent_dim])
        ours.rotary_key.weight.copy_(theirs.kv_a_proj_with_mqa.weight[latent_dim:])
        ours.latent_norm.weight.copy_(theirs.kv_a_layernorm.weight)
        up = theirs.kv_b_proj.weight.unflatten(0, (heads, 2 * size))
        ours.key_up.weight.copy_(up[:, :size].flatten(0, 1))
        ours.value_up.weight.copy_(up[:, size:].flatten(0, 1))
        ours.out_proj.weight.copy_(theirs.o_proj.weight)
    x = torch.randn(2, 7, 32)
    angles = theirs_of.DeepseekV2RotaryEmbedding(config)(x, torch.arange(7)[None])
    added = torch.full((7, 7), torch.finfo(x.dtype).min).triu(1)[None, None]
    expected, weights = theirs(x, attention_mask=added, position_embeddings=angles)
    for absorb in (False, True):
        got, got_weights = ours(x, is_causal=True, need_weights=True, absorb=absorb)
        close(got, expected, 1e-5)
        close(got_weights, weights, 1e-5)


# --- the cache ---------------------------------------------------------------------------------


@pytest.mark.parametrize("num_heads", [1, 4, 8])
def test_the_cache_holds_the_same_numbers_a_token_for_any_number_of_heads(num_heads):
    module = LatentAttention(16, num_heads, 5, rotary=RotaryEmbedding(2))
    cache, x = module.make_cache(3, 4), torch.randn(3, 2, 16)
    with torch.no_grad():
        module(x, cache=cache)
        rows = cache.append(torch.zeros(3, 0, 7))
        assert rows.shape == (3, 2, 5 + 2)
        close(rows[..., :5], module.latent_norm(module.latent_down(x)), 1e-6)
        close(rows[..., 5:], module.rotary(module.rotary_key(x)), 1e-6)


def test_without_a_choice_the_absorbed_form_serves_a_cache_that_holds_tokens(monkeypatch):
    module, called = LatentAttention(8, 2, 3), []
    for name in ("_attend_plain", "_attend_absorbed"):
        form = getattr(module, name)
        record = lambda *inputs, form=form, name=name, **more: (  # noqa: E731
            called.append(name) or form(*inputs, **more)
        )
        monkeypatch.setattr(module, name, record)
    cache, x = module.make_cache(1, 3), torch.randn(1, 2, 8)
    with torch.no_grad():
        module(x)
        module(x, cache=cache)
        module(x[:, :1], cache=cache)
    assert called == ["_attend_plain", "_attend_plain", "_attend_absorbed"]


# --- errors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error, message, arguments, options",
    [
        (ValueError, "num_heads must divide d_model 16, got 3", (16, 3, 4), {}),
        (ValueError, "latent_dim must be at least 1, got 0", (16, 4, 0), {}),
        (TypeError, "latent_dim must be an integer, got 4.0", (16, 4, 4.0), {}),
        (ValueError, "head_dim must be at least 1, got 0", (16, 3, 4), {"head_dim": 0}),
    ],
)
def test_bad_settings_are_refused(error, message, arguments, options):
    with pytest.raises(error, match=re.escape(message)):
        LatentAttention(*arguments, **options)
