"""Small trained models, so that a lesson can look into one without training it.

Each is a ``DecoderLM`` in a safetensors file (numbers only: nothing in it can run, as it could in
a pickle). ``manifest.json`` says for each file its SHA-256, the seed, the command that made it and
what was measured then. ``make checkpoints`` trains and measures them anew with the lesson's cells.
"""

import hashlib
import json
from importlib.resources import files

import torch

from course_lib.model.language_model import DecoderLM


def manifest() -> dict[str, dict]:
    """Return what is known of each checkpoint, by name.

    Each has "lesson", "function", "arguments" and "seed" (what trained it), "options" (of
    ``DecoderLM``), "sha256", "scores" (name -> number), "command", "torch" and "digest" (of the
    lesson's cells).
    """
    return json.loads((files(__name__) / "manifest.json").read_text(encoding="utf-8"))


def load_checkpoint(name: str, device: torch.device | str = "cpu") -> DecoderLM:
    """Return a trained model, such as "agreement", in eval mode.

    The files hold float16, which is half the size; the model computes in float32.

    Raises:
        ValueError: there is no such checkpoint, or the file is not the one that was measured.
    """
    known = manifest()
    if name not in known:
        raise ValueError(f"name must be one of {sorted(known)}, got {name!r}")
    content = (files(__name__) / f"{name}.safetensors").read_bytes()
    if hashlib.sha256(content).hexdigest() != known[name]["sha256"]:
        raise ValueError(f"{name}.safetensors is not the file that manifest.json describes")
    return read_model(content, known[name]["options"]).to(device)


def read_model(content: bytes, options: dict) -> DecoderLM:
    """Return the model that a safetensors file holds, in eval mode, in float32."""
    from safetensors.torch import load  # only lessons that load a checkpoint need it

    model = DecoderLM(**options)
    model.load_state_dict({key: value.float() for key, value in load(content).items()})
    return model.eval()
