"""Weights that others trained, copied into a ``DecoderLM``: the two families Llama and GPT-2.

The functions read the models of Hugging Face's package transformers, which the course itself does
not need: they ask a model for its ``config`` and its ``state_dict()`` only.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from course_lib.model.language_model import DecoderLM

# What makes a DecoderLM a Llama (Touvron et al. 2023), whatever its sizes.
LLAMA = {"positions": "rotary", "norm": "rms", "activation": "silu", "gated": True, "bias": False}
# Our name of a part of block i: their name of it.
LLAMA_PARTS = {
    "attention_norm": "input_layernorm",
    "attention.q_proj": "self_attn.q_proj",
    "attention.k_proj": "self_attn.k_proj",
    "attention.v_proj": "self_attn.v_proj",
    "attention.out_proj": "self_attn.o_proj",
    "feed_forward_norm": "post_attention_layernorm",
    "feed_forward.gate_proj": "mlp.gate_proj",
    "feed_forward.up_proj": "mlp.up_proj",
    "feed_forward.down_proj": "mlp.down_proj",
}
GPT2_PARTS = {
    "attention_norm": "ln_1",
    "attention.out_proj": "attn.c_proj",
    "feed_forward_norm": "ln_2",
    "feed_forward.up_proj": "mlp.c_fc",
    "feed_forward.down_proj": "mlp.c_proj",
}
GPT2_ACTIVATIONS = {
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu": "gelu",
    "relu": "relu",
    "silu": "silu",
}


def from_llama(model: nn.Module) -> DecoderLM:
    """Return a copy of a ``LlamaForCausalLM``, on its device and in its dtype.

    Raises:
        ValueError: the model is of another family, wrapped or quantized, has biases, another
            activation than SiLU, rotary positions that are rescaled, or a head_dim that is not
            d_model / num_heads.
    """
    config = _config(model, "llama", "LlamaForCausalLM")
    rope = config.rope_parameters
    head_dim = config.hidden_size // config.num_attention_heads
    _refuse_others(
        config, attention_bias=False, mlp_bias=False, hidden_act="silu", head_dim=head_dim
    )
    if rope["rope_type"] != "default":
        raise ValueError(f"rope_type must be 'default', got {rope['rope_type']!r}")
    theirs = model.state_dict()
    state = {
        "embedding.weight": _taken(theirs, "model.embed_tokens.weight"),
        "head.weight": _taken(theirs, "lm_head.weight"),
        "stack.norm.weight": _taken(theirs, "model.norm.weight"),
    }
    for i in range(config.num_hidden_layers):
        for our_part, their_part in LLAMA_PARTS.items():
            weight = _taken(theirs, f"model.layers.{i}.{their_part}.weight")
            state[f"stack.blocks.{i}.{our_part}.weight"] = weight
    ours = assemble(
        _copied(state),
        vocab_size=config.vocab_size,
        d_model=config.hidden_size,
        num_heads=config.num_attention_heads,
        num_layers=config.num_hidden_layers,
        d_ff=config.intermediate_size,
        num_kv_heads=config.num_key_value_heads,
        eps=config.rms_norm_eps,
        rotary_base=rope["rope_theta"],
        tie_embeddings=config.tie_word_embeddings,
        **LLAMA,
    )
    return ours.train(model.training)


def from_gpt2(model: nn.Module) -> DecoderLM:
    """Return a copy of a ``GPT2LMHeadModel``, on its device and in its dtype, without dropout.

    Raises:
        ValueError: the model is of another family, wrapped or quantized, has cross-attention,
            another scale than 1 / sqrt(head_dim), or an activation that is not in
            ``GPT2_ACTIVATIONS``.
    """
    config = _config(model, "gpt2", "GPT2LMHeadModel")
    _refuse_others(config, add_cross_attention=False, scale_attn_weights=True)
    _refuse_others(config, scale_attn_by_inverse_layer_idx=False)
    if config.activation_function not in GPT2_ACTIVATIONS:
        raise ValueError(
            f"activation_function must be one of {list(GPT2_ACTIVATIONS)}, "
            f"got {config.activation_function!r}"
        )
    theirs = model.state_dict()
    state = {
        "embedding.weight": _taken(theirs, "transformer.wte.weight"),
        "positions.weight": _taken(theirs, "transformer.wpe.weight"),
        "head.weight": _taken(theirs, "lm_head.weight"),
        "stack.norm.weight": _taken(theirs, "transformer.ln_f.weight"),
        "stack.norm.bias": _taken(theirs, "transformer.ln_f.bias"),
    }
    for i in range(config.n_layer):
        for kind in ("weight", "bias"):
            # Their matrices take x from the left, (in, out), where a Linear holds (out, in).
            q, k, v = _taken(theirs, f"transformer.h.{i}.attn.c_attn.{kind}").t().chunk(3)
            for name, part in {"q_proj": q, "k_proj": k, "v_proj": v}.items():
                state[f"stack.blocks.{i}.attention.{name}.{kind}"] = part
            for our_part, their_part in GPT2_PARTS.items():
                part = _taken(theirs, f"transformer.h.{i}.{their_part}.{kind}")
                state[f"stack.blocks.{i}.{our_part}.{kind}"] = part.t()  # a bias stays as it is
    ours = assemble(
        _copied(state),
        vocab_size=config.vocab_size,
        d_model=config.n_embd,
        num_heads=config.n_head,
        num_layers=config.n_layer,
        d_ff=config.n_inner or 4 * config.n_embd,
        max_len=config.n_positions,
        activation=GPT2_ACTIVATIONS[config.activation_function],
        eps=config.layer_norm_epsilon,
        tie_embeddings=config.tie_word_embeddings,
    )
    return ours.train(model.training)


def assemble(state: Mapping[str, torch.Tensor], **options) -> DecoderLM:
    """Return a ``DecoderLM`` that holds these weights: themselves, so that memory is spared.

    ``state`` is what its ``state_dict()`` shall be. With tied embeddings, "head.weight" may be left
    out, and is not looked at. Nothing is drawn at random.

    Raises:
        RuntimeError: a weight is missing, unknown or of another shape.
        KeyError: "embedding.weight" is missing, and the embeddings are tied.
    """
    with _NothingDrawn():
        model = DecoderLM(device="meta", **options)
    if model.head.weight is model.embedding.weight:
        model.load_state_dict({**state, "head.weight": state["embedding.weight"]}, assign=True)
        model.head.weight = model.embedding.weight
    else:
        model.load_state_dict(state, assign=True)
    return model


class _NothingDrawn(TorchFunctionMode):
    """Where there are no numbers, torch would import for a second to draw none."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        return kwargs["tensor"] if function is nn.init.normal_ else function(*args, **kwargs)


def _copied(state: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {
        name: weight.clone(memory_format=torch.contiguous_format) for name, weight in state.items()
    }


def _config(model: nn.Module, family: str, wanted: str) -> Any:
    """The config of a model of this family; a model of another, or none, is refused."""
    config = getattr(model, "config", None)
    model_type = getattr(config, "model_type", None)
    if model_type != family:
        raise ValueError(
            f"model_type must be {family!r}, got {model_type!r}: model must be a {wanted}, "
            f"got {type(model).__name__}"
        )
    return config


def _taken(theirs: Mapping[str, torch.Tensor], name: str) -> torch.Tensor:
    """One of their weights: those without a map to logits, wrapped or quantized lack some."""
    weight = theirs.get(name)
    if not isinstance(weight, torch.Tensor) or not weight.is_floating_point():
        got = "nothing" if weight is None else getattr(weight, "dtype", type(weight).__name__)
        raise ValueError(
            f"model must hold {name!r} as floating numbers in its state_dict(), got {got}"
        )
    return weight


def _refuse_others(config, **wanted) -> None:
    for name, value in wanted.items():
        if getattr(config, name) != value:
            raise ValueError(f"{name} must be {value!r}, got {getattr(config, name)!r}")
