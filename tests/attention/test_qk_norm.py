"""QK-norm: the definition in float64, the bound that it promises, and layers that take it."""

import pytest
import torch

from comparing_modules import close, randomize_biases_and_norms
from course_lib import DecoderLM, MultiHeadAttention, RotaryEmbedding
from course_lib.attention.qk_norm import NormedProjection, add_qk_norm


def normed(x, head_dim, gain, eps=1e-6):
    """Each head's features over the root of their mean square, head by head."""
    heads = []
    for head in x.split(head_dim, dim=-1):
        heads.append(head / (head.square().mean(dim=-1, keepdim=True) + eps).sqrt() * gain)
    return torch.cat(heads, dim=-1)


@pytest.mark.parametrize("bias", [False, True])
def test_a_projection_normalises_each_head(bias):
    projection = randomize_biases_and_norms(NormedProjection(6, 12, 4, bias=bias).double())
    x = torch.randn(2, 5, 6, dtype=torch.float64)
    plain = x @ projection.weight.T + (projection.bias if bias else 0)
    close(projection(x), normed(plain, 4, projection.norm.weight))


@pytest.mark.parametrize("rotary", [False, True])
@pytest.mark.parametrize("num_kv_heads", [4, 2])
def test_a_layer_keeps_its_weights_and_attends_with_normalised_heads(rotary, num_kv_heads):
    turn = RotaryEmbedding(4) if rotary else None
    module = MultiHeadAttention(16, 4, num_kv_heads=num_kv_heads, rotary=turn, dtype=torch.float64)
    weights = [module.q_proj.weight, module.k_proj.weight]
    assert randomize_biases_and_norms(add_qk_norm(module)) is module
    assert weights[0] is module.q_proj.weight and weights[1] is module.k_proj.weight
    x = torch.randn(2, 7, 16, dtype=torch.float64)

    def heads_of(projection, gain):
        plain = x @ projection.weight.T + projection.bias
        if gain is not None:
            plain = normed(plain, 4, gain)
        heads = plain.unflatten(-1, (-1, 4)).transpose(1, 2)
        return heads.repeat_interleave(4 // heads.shape[1], dim=1)

    q = heads_of(module.q_proj, module.q_proj.norm.weight)
    k = heads_of(module.k_proj, module.k_proj.norm.weight)
    v = heads_of(module.v_proj, None)
    if rotary:
        q, k = turn(q), turn(k)
    scores = (q @ k.mT / 2).masked_fill(torch.ones(7, 7, dtype=torch.bool).triu(1), -torch.inf)
    expected = module.out_proj((scores.softmax(dim=-1) @ v).transpose(1, 2).flatten(-2))
    for need_weights in (False, True):
        close(module(x, is_causal=True, need_weights=need_weights)[0], expected)


def test_in_a_model_it_writes_the_same_with_and_without_caches():
    model = DecoderLM(11, 16, 2, 2, positions="rotary", dtype=torch.float64)
    for block in model.stack.blocks:
        add_qk_norm(block.attention)
    tokens = torch.randint(11, (2, 4))
    assert torch.equal(model.generate(tokens, 12), model.generate(tokens, 12, use_cache=False))


def test_gradients_reach_weights_and_gains():
    module = add_qk_norm(MultiHeadAttention(8, 2))
    module(torch.randn(2, 5, 8), is_causal=True)[0].square().sum().backward()
    names = {name for name, parameter in module.named_parameters() if parameter.grad is not None}
    assert {"q_proj.weight", "q_proj.norm.weight", "k_proj.norm.weight"} <= names


def test_errors_name_the_argument():
    module = add_qk_norm(MultiHeadAttention(8, 2))
    with pytest.raises(ValueError, match="attention must have no QK-norm yet"):
        add_qk_norm(module)
    with pytest.raises(ValueError, match="head_dim must divide out_features 8, got 3"):
        NormedProjection(8, 8, 3)
    with pytest.raises(TypeError, match="head_dim must be an integer, got 2.0"):
        NormedProjection(8, 8, 2.0)
