"""Weights that others trained, in a ``DecoderLM``."""

from collections.abc import Mapping

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from course_lib.model.language_model import DecoderLM

# What makes a DecoderLM a Llama (Touvron et al. 2023), whatever its sizes.
LLAMA = {"positions": "rotary", "norm": "rms", "activation": "silu", "gated": True, "bias": False}


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
