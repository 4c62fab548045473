"""A ``DecoderLM`` as text, for the browser, which computes it in plain JavaScript."""

import base64
from collections.abc import Iterable
from typing import cast

import torch
from torch import nn

from course_lib.attention.positions import SinusoidalPositions
from course_lib.model.block import TransformerBlock
from course_lib.model.language_model import DecoderLM


def packed_model(model: DecoderLM) -> dict:
    """Return what ``widgets_js/src/decoder`` needs to compute the model.

    It gets "options", and "packed": the tensors' names and shapes, and their numbers in base64.
    They are float16 where that holds them all exactly, as in the course's checkpoints, and float32
    otherwise.
    """
    blocks = list(cast(Iterable[TransformerBlock], model.stack.blocks))
    attention, norm, network = blocks[0].attention, blocks[0].attention_norm, blocks[0].feed_forward
    rotary = attention.rotary
    tensors = {name: tensor.detach().cpu().float() for name, tensor in model.state_dict().items()}
    if model.head.weight is model.embedding.weight:
        del tensors["head.weight"]
    numbers = torch.cat([tensor.flatten() for tensor in tensors.values()])
    halves = numbers.half()
    exact = torch.equal(halves.float(), numbers)
    data = (halves.numpy().astype("<f2") if exact else numbers.numpy().astype("<f4")).tobytes()
    return {
        "options": {
            "num_layers": len(blocks),
            "num_heads": attention.num_heads,
            "num_kv_heads": attention.num_kv_heads,
            "norm_first": blocks[0].norm_first,
            "norm": "layer" if isinstance(norm, nn.LayerNorm) else "rms",
            "eps": norm.eps,
            "activation": "gelu" if network is None else network.activation,
            "sinusoidal": isinstance(model.positions, SinusoidalPositions),
            "rotary": rotary and {"base": rotary.base, "pairing": rotary.pairing},
        },
        "packed": {
            "shapes": [[name, list(tensor.shape)] for name, tensor in tensors.items()],
            "bits": 16 if exact else 32,
            "data": base64.b64encode(data).decode(),
        },
    }
