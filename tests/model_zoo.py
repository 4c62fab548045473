"""Small random models of each architecture that people take apart, and what each is given."""

from collections.abc import Callable

import torch
import transformers as t
from torch import nn

from course_lib import DecoderLM, EncoderDecoder

WORDS, WIDE, LENGTH = 40, 32, 7
EAGER = {"attn_implementation": "eager"}  # which returns the weights
SIZES = {"vocab_size": WORDS, "hidden_size": WIDE, "num_hidden_layers": 2}
SIZES |= {"num_attention_heads": 4, "intermediate_size": 32, "max_position_embeddings": 32}
SIZES |= {"bos_token_id": None, "eos_token_id": None, "pad_token_id": 0} | EAGER
GROUPED = SIZES | {"num_key_value_heads": 2}
GPT2_SIZES = {"vocab_size": WORDS, "n_embd": WIDE, "n_layer": 2, "n_head": 4, "n_positions": 32}
BLOOM_SIZES = {"vocab_size": WORDS, "hidden_size": WIDE, "n_layer": 2, "n_head": 4}
OPT_SIZES = {"word_embed_proj_dim": WIDE, "ffn_dim": 32}
T5_SIZES = {"d_model": WIDE, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 4}
BOTH_SIDES = {
    f"{side}_{name}": size
    for side in ("encoder", "decoder")
    for name, size in (("layers", 2), ("attention_heads", 4), ("ffn_dim", 32))
}
BOTH_SIDES |= {"d_model": WIDE, "vocab_size": WORDS, "decoder_start_token_id": 1}
ENDS = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": 0} | EAGER
WHISPER_SIZES = {"num_mel_bins": 8, "max_source_positions": 10, "max_target_positions": 32}
IMAGE = {"image_size": 8, "patch_size": 4}
VIT_SIZES = {name: SIZES[name] for name in list(SIZES)[1:5]} | IMAGE | EAGER


def tokens(seed: int = 0) -> torch.Tensor:
    return torch.randint(3, WORDS, (2, LENGTH), generator=torch.Generator().manual_seed(seed))


def text(seed: int = 0) -> dict:
    return {"input_ids": tokens(seed)}


def pair(seed: int = 0) -> dict:
    return {"input_ids": tokens(seed), "decoder_input_ids": tokens(seed + 9)[:, :5]}


def sound(seed: int = 0) -> dict:
    features = torch.randn(2, 8, 20, generator=torch.Generator().manual_seed(seed))
    return {"input_features": features, "decoder_input_ids": tokens(seed)[:, :5]}


def image(seed: int = 0) -> dict:
    return {"pixel_values": torch.randn(2, 3, 8, 8, generator=torch.Generator().manual_seed(seed))}


def own_pair(seed: int = 0) -> dict:
    return {"source": tokens(seed), "target": tokens(seed + 9)[:, :5]}


TEXT = {  # they read a text; the first nine also write one
    "GPT-2": lambda: t.GPT2LMHeadModel(t.GPT2Config(**GPT2_SIZES, **ENDS)),
    "Llama": lambda: t.LlamaForCausalLM(t.LlamaConfig(**GROUPED)),
    "Mistral": lambda: t.MistralForCausalLM(t.MistralConfig(**GROUPED)),
    "Qwen3": lambda: t.Qwen3ForCausalLM(t.Qwen3Config(**GROUPED, head_dim=8)),
    "Gemma": lambda: t.GemmaForCausalLM(t.GemmaConfig(**SIZES, num_key_value_heads=1, head_dim=8)),
    "Phi": lambda: t.PhiForCausalLM(t.PhiConfig(**SIZES)),
    "GPT-NeoX": lambda: t.GPTNeoXForCausalLM(t.GPTNeoXConfig(**SIZES)),
    "OPT": lambda: t.OPTForCausalLM(t.OPTConfig(**SIZES, **OPT_SIZES)),
    "BLOOM": lambda: t.BloomForCausalLM(t.BloomConfig(**BLOOM_SIZES, **ENDS)),
    "BERT": lambda: t.BertForMaskedLM(t.BertConfig(**SIZES)),
    "RoBERTa": lambda: t.RobertaForMaskedLM(t.RobertaConfig(**SIZES)),
}
WRITERS = list(TEXT)[:9]
MODELS: dict[str, tuple[Callable[[], nn.Module], Callable[..., dict]]] = {
    **{name: (make, text) for name, make in TEXT.items()},
    "T5": (
        lambda: t.T5ForConditionalGeneration(
            t.T5Config(vocab_size=WORDS, **T5_SIZES, **ENDS, decoder_start_token_id=0)
        ),
        pair,
    ),
    "BART": (
        lambda: t.BartForConditionalGeneration(
            t.BartConfig(**BOTH_SIDES, **ENDS, max_position_embeddings=32)
        ),
        pair,
    ),
    "Whisper": (
        lambda: t.WhisperForConditionalGeneration(
            t.WhisperConfig(**BOTH_SIDES, **ENDS, **WHISPER_SIZES)
        ),
        sound,
    ),
    "ViT": (lambda: t.ViTForImageClassification(t.ViTConfig(**VIT_SIZES)), image),
    "our decoder": (
        lambda: DecoderLM(WORDS, WIDE, 4, 2, positions="rotary", num_kv_heads=2),
        lambda seed=0: {"tokens": tokens(seed)},
    ),
    "our encoder and decoder": (
        lambda: EncoderDecoder(WORDS, WORDS, WIDE, 4, 2, max_len=32),
        own_pair,
    ),
}


def make(name: str) -> nn.Module:
    """A model in eval mode whose weights are large enough that each head moves the output."""
    torch.manual_seed(0)
    model = MODELS[name][0]()
    with torch.no_grad():
        for parameter in model.parameters():
            spread = 0.2 if parameter.dim() == 1 else 0.7 / parameter.shape[-1] ** 0.5
            parameter.add_(torch.randn_like(parameter) * spread)
    return model.eval()


def output(model: nn.Module, given: dict) -> torch.Tensor:
    """What the model says: logits."""
    out = model(**given)
    return out[0] if isinstance(out, tuple) else out.logits


def wide_heads() -> nn.Module:
    """A Qwen3 whose heads are wider than d_model / num_heads."""
    torch.manual_seed(0)
    return t.Qwen3ForCausalLM(t.Qwen3Config(**GROUPED, head_dim=10)).eval()
