"""A small Llama, and a GGUF file of it as llama.cpp would write it."""

import gguf
import torch
from tokenizers.pre_tokenizers import ByteLevel
from transformers import LlamaConfig, LlamaForCausalLM

BYTES = sorted(ByteLevel.alphabet())
MERGES = ["Ġ t", "h e", "Ġt he"]
VOCABULARY = ["<|end|>", *BYTES, "Ġt", "he", "Ġthe"]


def small_llama():
    """The same one each time."""
    torch.manual_seed(0)
    sizes = {"vocab_size": len(VOCABULARY), "hidden_size": 64, "intermediate_size": 96}
    sizes |= {"num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2}
    options = {"rope_parameters": {"rope_type": "default", "rope_theta": 300.0}}
    options |= {"rms_norm_eps": 1e-3, "tie_word_embeddings": True, "attn_implementation": "eager"}
    return LlamaForCausalLM(LlamaConfig(**sizes, **options)).eval()


def write_gguf(path, model, architecture="llama", pre="smollm", left_out="", also=()):
    """Store a LlamaForCausalLM as llama.cpp's converter does, its matrices rounded to 8 bits.

    ``also`` are further keys with their values.
    """
    config = model.config
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_vocab_size(config.vocab_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    add = {str: writer.add_string, int: writer.add_uint32, float: writer.add_float32}
    for key, value in dict(also).items():
        add[type(value)](key, value)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(VOCABULARY)
    writer.add_token_merges(MERGES)
    writer.add_token_types([3] + [1] * (len(VOCABULARY) - 1))
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    for name, weight in model.state_dict().items():
        stored = names.get_name(name, try_suffixes=(".weight",))
        if name == "lm_head.weight" or stored == left_out:
            continue
        heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
        for part, number in heads.items():
            if part in stored:  # as convert_hf_to_gguf.py permutes them
                rows = weight.reshape(number, 2, -1, weight.shape[-1])
                weight = rows.swapaxes(1, 2).reshape(weight.shape)
        numbers = weight.numpy()
        if numbers.ndim == 2:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(stored, gguf.quantize(numbers, kind), raw_dtype=kind)
        else:
            writer.add_tensor(stored, numbers)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
