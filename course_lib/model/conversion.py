"""The same numbers in another form: torch's modules, and heads that stand alone."""

from collections.abc import Sequence

import torch
from torch import nn

from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.attention.single_head import SingleHead
from course_lib.model.block import TransformerBlock
from course_lib.model.feed_forward import ACTIVATIONS
from course_lib.validation.layer_inputs import check_linear, check_projections


def attention_from_torch(module: nn.MultiheadAttention) -> MultiHeadAttention:
    """Return a copy of torch's module; ours takes (batch, length, d_model) whatever batch_first is.

    torch's masks have the opposite sense: in its boolean masks True = may NOT attend.

    Raises:
        TypeError: ``module`` is no ``nn.MultiheadAttention``.
        ValueError: it uses kdim, vdim, add_bias_kv or add_zero_attn, which ours lacks.
    """
    if not isinstance(module, nn.MultiheadAttention):
        raise TypeError(f"module must be nn.MultiheadAttention, got {type(module).__name__}")
    d_model = module.embed_dim
    unsupported = {
        f"kdim={module.kdim}": module.kdim != d_model,
        f"vdim={module.vdim}": module.vdim != d_model,
        "add_bias_kv=True": module.bias_k is not None,
        "add_zero_attn=True": module.add_zero_attn,
    }
    used = ", ".join(name for name, is_used in unsupported.items() if is_used)
    if used:
        raise ValueError(
            f"module must have kdim and vdim of {d_model}, no add_bias_kv and no add_zero_attn, "
            f"got {used}"
        )
    weight, bias = module.in_proj_weight, module.in_proj_bias  # (3 * d_model, d_model)
    options: dict = {"bias": bias is not None, "device": weight.device, "dtype": weight.dtype}
    attention = MultiHeadAttention(d_model, module.num_heads, dropout=module.dropout, **options)
    projections = (attention.q_proj, attention.k_proj, attention.v_proj)
    biases = [None] * 3 if bias is None else bias.chunk(3)
    for projection, rows, part in zip(projections, weight.chunk(3), biases, strict=True):
        _fill(projection, rows, part)
    attention.out_proj.load_state_dict(module.out_proj.state_dict())
    return attention.train(module.training)


def attention_to_torch(attention: MultiHeadAttention) -> nn.MultiheadAttention:
    """Return a copy as torch's module, with ``batch_first=True``.

    Raises:
        ValueError: grouped heads or rotary positions are used, which torch's module lacks, or a
            projection is no ``nn.Linear`` itself (wrapped, quantized).
    """
    check_projections(attention)
    if attention.num_kv_heads != attention.num_heads:
        raise ValueError(
            f"num_kv_heads must equal num_heads {attention.num_heads}, got {attention.num_kv_heads}"
        )
    if attention.rotary is not None:
        raise ValueError("rotary must be None: torch's module has no rotary positions")
    options = {"dropout": attention.dropout, "batch_first": True} | _options(attention.q_proj)
    module = nn.MultiheadAttention(attention.d_model, attention.num_heads, **options)
    projections = (attention.q_proj, attention.k_proj, attention.v_proj)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.cat([p.weight for p in projections]))
        if module.in_proj_bias is not None:
            module.in_proj_bias.copy_(torch.cat([p.bias for p in projections]))
    module.out_proj.load_state_dict(attention.out_proj.state_dict())
    return module.train(attention.training)


def block_from_torch(
    layer: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer,
) -> TransformerBlock:
    """Return a copy of torch's layer; a decoder layer gives a block with cross-attention.

    Raises:
        TypeError: ``layer`` is neither.
        ValueError: its activation is not one of ours.
    """
    if not isinstance(layer, nn.TransformerEncoderLayer | nn.TransformerDecoderLayer):
        raise TypeError(
            "layer must be nn.TransformerEncoderLayer or nn.TransformerDecoderLayer, "
            f"got {type(layer).__name__}"
        )
    is_decoder = isinstance(layer, nn.TransformerDecoderLayer)
    block = TransformerBlock(
        layer.self_attn.embed_dim,
        layer.self_attn.num_heads,
        layer.linear1.out_features,
        cross_attention=is_decoder,
        norm_first=layer.norm_first,
        activation=_activation_name(layer.activation),
        dropout=layer.dropout.p,
        eps=layer.norm1.eps,
        **_options(layer.linear1),
    )
    names = {
        "attention_norm": "norm1",
        "feed_forward_norm": "norm3" if is_decoder else "norm2",
        "feed_forward.up_proj": "linear1",
        "feed_forward.down_proj": "linear2",
    }
    block.attention = attention_from_torch(layer.self_attn)
    if isinstance(layer, nn.TransformerDecoderLayer):
        block.cross_attention = attention_from_torch(layer.multihead_attn)
        names["cross_norm"] = "norm2"
    for ours, theirs in names.items():
        block.get_submodule(ours).load_state_dict(layer.get_submodule(theirs).state_dict())
    return block.train(layer.training)


def _activation_name(activation) -> str:
    for name, function in ACTIVATIONS.items():
        if activation is function:
            return name
    if isinstance(activation, nn.GELU) and activation.approximate == "tanh":
        return "gelu_tanh"
    for name, module in (("relu", nn.ReLU), ("gelu", nn.GELU), ("silu", nn.SiLU)):
        if isinstance(activation, module):
            return name
    raise ValueError(f"layer.activation must be one of {list(ACTIVATIONS)}, got {activation}")


def merge_heads(heads: Sequence[nn.Module], out_proj: nn.Linear) -> MultiHeadAttention:
    """Return the multi-head attention that holds copies of these heads in its matrices.

    Args:
        heads: modules with ``q_proj``, ``k_proj`` and ``v_proj``, each an ``nn.Linear`` from
            d_model to head_dim features; number of heads x head_dim must be d_model.
        out_proj: mixes the concatenated heads, an ``nn.Linear`` from d_model to d_model.

    Raises:
        ValueError: there are no heads, a projection is no ``nn.Linear`` itself, their sizes do not
            fit together, or only some have a bias.
    """
    if not heads:
        raise ValueError("heads must hold at least one head, got none")
    check_linear(out_proj=out_proj)
    d_model = out_proj.in_features
    has_bias = out_proj.bias is not None
    if out_proj.out_features != d_model:
        raise ValueError(f"out_proj must keep {d_model} features, got {out_proj.out_features}")
    if d_model % len(heads):
        raise ValueError(f"{len(heads)} heads must divide out_proj's {d_model} features")
    expected = (d_model // len(heads), d_model)
    for i, head in enumerate(heads):
        for name in ("q_proj", "k_proj", "v_proj"):
            projection = getattr(head, name)
            check_linear(**{f"heads[{i}].{name}": projection})
            if projection.weight.shape != expected:
                raise ValueError(
                    f"heads[{i}].{name} must map {expected[1]} features to {expected[0]}, got "
                    f"{projection.in_features} to {projection.out_features}"
                )
            if (projection.bias is not None) != has_bias:
                raise ValueError(
                    f"heads[{i}].{name} must have bias={has_bias} as out_proj has, "
                    f"got bias={not has_bias}"
                )
    attention = MultiHeadAttention(d_model, len(heads), **_options(out_proj))
    for name in ("q_proj", "k_proj", "v_proj"):
        parts = [getattr(head, name) for head in heads]
        bias = torch.cat([part.bias for part in parts]) if has_bias else None
        _fill(getattr(attention, name), torch.cat([part.weight for part in parts]), bias)
    attention.out_proj.load_state_dict(out_proj.state_dict())
    return attention


def separate_heads(attention: MultiHeadAttention) -> tuple[nn.ModuleList, nn.Linear]:
    """Return copies of the heads, each a ``SingleHead``, and of the ``out_proj`` that mixes them.

    Grouped heads come out with a copy of the keys and values that they share.

    Raises:
        ValueError: rotary positions are used, which a ``SingleHead`` lacks, or a projection is no
            ``nn.Linear`` itself (wrapped, quantized).
    """
    check_projections(attention)
    if attention.rotary is not None:
        raise ValueError("rotary must be None: a SingleHead has no rotary positions")
    d_model, head_dim = attention.d_model, attention.head_dim
    options = _options(attention.q_proj)
    group = attention.num_heads // attention.num_kv_heads
    heads = nn.ModuleList()
    for i in range(attention.num_heads):
        head = SingleHead(d_model, head_dim, **options)
        for name, owner in (("q_proj", i), ("k_proj", i // group), ("v_proj", i // group)):
            rows = slice(owner * head_dim, (owner + 1) * head_dim)
            weight, bias = getattr(attention, name).weight, getattr(attention, name).bias
            _fill(getattr(head, name), weight[rows], None if bias is None else bias[rows])
        heads.append(head)
    out_proj = nn.Linear(d_model, d_model, **options)
    out_proj.load_state_dict(attention.out_proj.state_dict())
    return heads, out_proj


def _options(linear: nn.Linear) -> dict:
    weight = linear.weight
    return {"bias": linear.bias is not None, "device": weight.device, "dtype": weight.dtype}


@torch.no_grad()
def _fill(linear: nn.Linear, weight: torch.Tensor, bias: torch.Tensor | None) -> None:
    linear.weight.copy_(weight)
    if bias is not None:
        linear.bias.copy_(bias)
