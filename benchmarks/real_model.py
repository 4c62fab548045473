"""Time of a token that SmolLM2 writes, beside transformers and the floor: prints a table.

    python benchmarks/real_model.py --quick            # about half a minute
    python benchmarks/real_model.py --output FILE      # some minutes, writes JSON

Both models hold the same float32 weights, continue the same prompt on one thread, and take turns.
The processor's time counts, and a ratio is the median over rounds: neighbours disturb both alike.
The floor is a sum over all weights: whoever writes a token has to read each of them once. Bare
operators write the same tokens without a module or a check: what torch's calls cost at the least.
How many operators torch runs for one more token does not depend on the machine.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import torch
import torch.nn.functional as F
from timing import in_turns
from torch.utils._python_dispatch import TorchDispatchMode
from transformers import LlamaConfig, LlamaForCausalLM

from attention import describe_machine
from course_lib import DecoderLM
from course_lib.data.real_model import encode, load_smollm2

PROMPT = "A transformer reads a text token by token, and at each token it asks:"
OURS, THEIRS, BARE = "ours", "transformers", "bare operators"
LINEAR = "each linear map, alone"
# Our name of a part of a block: their name of it.
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
PRODUCTS, FLOOR = "each weight times one vector", "reading each weight once"


def load_times(rounds: int) -> list[float]:
    """Return the seconds that ``load_smollm2`` takes, with its file in the cache."""
    load_smollm2()  # fetches, imports, and brings the file into memory
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        load_smollm2()
        times.append(time.perf_counter() - start)
    return times


def in_halves(weight: torch.Tensor, head_dim: int) -> torch.Tensor:
    """Put the rows of a head that stand side by side as a pair half a head apart."""
    pairs = weight.unflatten(0, (-1, head_dim // 2, 2))  # (heads, pairs, 2, d_model)
    return pairs.transpose(1, 2).flatten(0, 2)


def as_transformers(model: DecoderLM) -> LlamaForCausalLM:
    """Return Hugging Face's model with our weights, shared where their order is the same."""
    attention = model.stack.blocks[0].attention
    config = LlamaConfig(
        vocab_size=model.head.out_features,
        hidden_size=model.head.in_features,
        intermediate_size=model.stack.blocks[0].feed_forward.up_proj.out_features,
        num_hidden_layers=len(model.stack.blocks),
        num_attention_heads=attention.num_heads,
        num_key_value_heads=attention.num_kv_heads,
        rms_norm_eps=model.stack.norm.eps,
        rope_parameters={"rope_type": "default", "rope_theta": attention.rotary.base},
        tie_word_embeddings=True,
        eos_token_id=None,
        bos_token_id=None,
        pad_token_id=None,
    )
    state = {
        "model.embed_tokens.weight": model.embedding.weight,
        "lm_head.weight": model.embedding.weight,
        "model.norm.weight": model.stack.norm.weight,
    }
    for i, block in enumerate(model.stack.blocks):
        for our_part, their_part in LLAMA_PARTS.items():
            name = f"{our_part}.weight"
            weight = block.state_dict()[name]
            if our_part in ("attention.q_proj", "attention.k_proj"):
                weight = in_halves(weight, attention.head_dim)
            state[f"model.layers.{i}.{their_part}.weight"] = weight
    theirs = LlamaForCausalLM(config)
    theirs.load_state_dict(state, assign=True)
    theirs.tie_weights()
    return theirs.eval()


def write_bare(model: DecoderLM, tokens: torch.Tensor, new: int) -> torch.Tensor:
    """Return the tokens and the new ones, by calls of torch's operators alone."""
    attention, embedding = model.stack.blocks[0].attention, model.embedding.weight
    num_heads, num_kv_heads = attention.num_heads, attention.num_kv_heads
    layers = [dict(block.named_parameters()) for block in model.stack.blocks]
    shape = (2, 1, num_kv_heads, tokens.shape[1] + new, attention.head_dim)
    caches = [torch.empty(shape) for _ in layers]

    def norm(x, weight):
        return F.rms_norm(x, weight.shape, weight, model.stack.norm.eps)

    def project(x, weight):  # (1, heads, length, head_dim)
        return F.linear(x, weight).unflatten(-1, (-1, attention.head_dim)).transpose(1, 2)

    start, read = 0, tokens
    for _ in range(new):
        x, end = F.embedding(read, embedding), tokens.shape[1]  # (1, length, d_model)
        cos, sin = attention.rotary.turns(x[:, None], start)  # (length, head_dim)
        for weights, (keys, values) in zip(layers, caches, strict=True):
            h = norm(x, weights["attention_norm.weight"])
            q, k, v = (project(h, weights[f"attention.{part}_proj.weight"]) for part in "qkv")
            qk = torch.cat((q, k), dim=1)
            others = qk.unflatten(-1, (-1, 2)).flip(-1).flatten(-2)
            q, k = torch.addcmul(qk * cos, others, sin).split((num_heads, num_kv_heads), dim=1)
            keys[:, :, start:end], values[:, :, start:end] = k, v
            kept = (keys[:, :, :end], values[:, :, :end])
            heads = F.scaled_dot_product_attention(q, *kept, is_causal=not start, enable_gqa=True)
            joined = heads.transpose(1, 2).flatten(-2)
            x = x + F.linear(joined, weights["attention.out_proj.weight"])
            h = norm(x, weights["feed_forward_norm.weight"])
            gate = F.silu(F.linear(h, weights["feed_forward.gate_proj.weight"]))
            hidden = gate * F.linear(h, weights["feed_forward.up_proj.weight"])
            x = x + F.linear(hidden, weights["feed_forward.down_proj.weight"])
        logits = F.linear(norm(x[:, -1:], model.stack.norm.weight), embedding)
        start, read = end, logits[:, -1].argmax(dim=-1, keepdim=True)
        tokens = torch.cat((tokens, read), dim=1)
    return tokens


class CountedOperators(TorchDispatchMode):
    """Counts the operators that torch runs."""

    count = 0

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        self.count += 1
        return operator(*args, **(kwargs or {}))


def operators_of_a_token(write: Callable[[int], object]) -> int:
    """Return how many operators one more token takes; ``write`` takes the number of tokens."""
    counts = []
    for new in (3, 4):
        with CountedOperators() as counted:
            write(new)
        counts.append(counted.count)
    return counts[1] - counts[0]


@torch.no_grad()
def bench_generation(
    model: DecoderLM, tokens: torch.Tensor, new: int, seconds: float
) -> tuple[dict[str, list[float]], dict[str, int]]:
    """Return the milliseconds of one new token, or of one run through all weights, by round; and
    how many operators one new token takes."""
    theirs = as_transformers(model)
    weights = [parameter.detach() for parameter in model.parameters()]
    vectors = [(w, torch.randn(w.shape[1])) for w in weights if w.dim() == 2]
    settings = {"attention_mask": torch.ones_like(tokens), "do_sample": False}
    rows = [(vector[None, None], weight) for weight, vector in vectors]
    writers = {
        OURS: lambda new: model.generate(tokens, new),
        THEIRS: lambda new: theirs.generate(tokens, max_new_tokens=new, **settings),
        BARE: lambda new: write_bare(model, tokens, new),
    }
    written = [write(new) for write in writers.values()]
    if not all(torch.equal(written[0], other) for other in written[1:]):
        raise SystemExit("the models write different tokens: nothing to compare")
    contestants = {name: partial(write, new) for name, write in writers.items()} | {
        LINEAR: lambda: [F.linear(row, weight) for row, weight in rows],
        PRODUCTS: lambda: [torch.mv(weight, vector) for weight, vector in vectors],
        FLOOR: lambda: [weight.sum() for weight in weights],
    }
    times = in_turns(contestants, seconds=seconds, clock=time.process_time)
    milliseconds = {
        name: [1000 * each / (new if name in writers else 1) for each in rounds]
        for name, rounds in times.items()
    }
    return milliseconds, {name: operators_of_a_token(write) for name, write in writers.items()}


def ratio(times: dict[str, list[float]], name: str, other: str) -> float:
    """Return the median over rounds of one contestant's time in that of another."""
    return statistics.median(a / b for a, b in zip(times[name], times[other], strict=True))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few tokens, and no JSON")
    parser.add_argument("--output", type=Path, help="write the JSON here")
    parser.add_argument("--seconds", type=float, help="of all rounds; 120, or 10 with --quick")
    arguments = parser.parse_args()
    quick = arguments.quick
    torch.set_num_threads(1)
    try:
        loading = statistics.median(load_times(1 if quick else 5))
        model, tokenizer = load_smollm2()
    except (ConnectionError, ImportError) as error:
        print(f"SmolLM2 is not there, so it is not timed: {error}")
        return
    tokens, _ = encode(tokenizer, PROMPT)
    new = 8 if quick else 64
    seconds = arguments.seconds or (10.0 if quick else 120.0)
    times, operators = bench_generation(model, tokens, new, seconds)
    milliseconds = {name: statistics.median(rounds) for name, rounds in times.items()}
    results = {
        "machine": describe_machine("cpu"),
        "threads": 1,
        "dtype": "float32",
        "prompt, new tokens": [tokens.shape[1], new],
        "load_smollm2, seconds": loading,
        "milliseconds": milliseconds,
        "operators for one more token": operators,
        "ours / transformers": ratio(times, OURS, THEIRS),
        "ours / products": ratio(times, OURS, PRODUCTS),
        "bare operators / products": ratio(times, BARE, PRODUCTS),
        "linear maps / products": ratio(times, LINEAR, PRODUCTS),
        "ours / floor": ratio(times, OURS, FLOOR),
    }
    print(f"\nSmolLM2-135M, float32, 1 thread, {tokens.shape[1]} tokens and {new} new ones")
    print(f"  {'':<30}{'ms a token':>12}{'x floor':>10}")
    for name, value in milliseconds.items():
        print(f"  {name:<30}{value:>12.1f}{value / milliseconds[FLOOR]:>10.2f}")
    for name in (name for name in results if " / " in name):
        print(f"  {name}: {results[name]:.2f}")
    print(f"  operators for one more token: {operators}")
    print(f"  loading, with the file in the cache: {loading:.1f} s", flush=True)
    if arguments.output and not quick:
        arguments.output.write_text(json.dumps(results, indent=1) + "\n")
        print(f"\nwritten: {arguments.output}")


if __name__ == "__main__":
    main()
