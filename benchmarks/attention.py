"""Time and memory of attention against the limit of the machine: prints tables, writes JSON.

    python benchmarks/attention.py --quick            # about a minute
    python benchmarks/attention.py --output FILE      # all of it, many minutes

"x limit" is a contestant's median time over the median time of four bare projections and bare
``F.scaled_dot_product_attention`` (the causal one for the causal contestants), from the same run.
"""

import argparse
import json
import math
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

import torch
from contestants import forward_functions, runnable
from timing import alternate

from course_lib import DecoderLM, LatentAttention, MultiHeadAttention, RotaryEmbedding
from course_lib.study.peak_memory import peak_bytes

SHAPES = ((8, 256, 512, 8), (2, 1024, 768, 12), (1, 4096, 512, 8))
GPU_SHAPES = (*SHAPES, (1, 16384, 512, 8))
QUICK_SHAPES = ((8, 256, 512, 8),)
LIMITS = {"limit, causal": ("fused, causal", "fused, triangle as mask")}
NAMES = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}


def bench_speed(shapes, dtypes, threads, seconds, device):
    """Time all contestants; contestants that store the weights stop where they would not fit."""
    rows = []
    for n in threads:
        torch.set_num_threads(n)
        for shape in shapes:
            for dtype in dtypes:
                for backward in (False, True):
                    rows.append(_speed_row(shape, dtype, n, backward, seconds, device))
                    _print_speed(rows[-1])
    return rows


def _speed_row(shape, dtype, threads, backward, seconds, device):
    batch, length, d_model, num_heads = shape
    torch.manual_seed(0)
    module = MultiHeadAttention(d_model, num_heads, device=device, dtype=dtype).train(backward)
    x = torch.randn(batch, length, d_model, device=device, dtype=dtype)
    functions = forward_functions(module, x)
    if batch * num_heads * length**2 * 4 > 2**31:  # one matrix of weights over 2 GiB in float32
        functions = {name: f for name, f in functions.items() if "weights" not in name}
        functions.pop("loop over heads")
    medians = alternate(runnable(functions, x, backward=backward), seconds=seconds, device=device)
    ratios = {}
    for name, median in medians.items():
        limit = next((key for key, names in LIMITS.items() if name in names), "limit")
        ratios[name] = median / medians[limit]
    return {
        "batch, length, d_model, num_heads": shape,
        "dtype": str(dtype).removeprefix("torch."),
        "threads": threads,
        "direction": "forward + backward" if backward else "forward",
        "milliseconds": {name: 1000 * median for name, median in medians.items()},
        "x limit": ratios,
    }


def _print_speed(row):
    shape = "x".join(map(str, row["batch, length, d_model, num_heads"]))
    print(
        f"\n{shape} {NAMES[row['dtype']]} {row['direction']}, {row['threads']} thread(s)\n"
        f"  {'':<26}{'ms':>10}{'x limit':>10}"
    )
    for name, milliseconds in row["milliseconds"].items():
        print(f"  {name:<26}{milliseconds:>10.2f}{row['x limit'][name]:>10.2f}", flush=True)


def bench_heads(lengths, seconds, device):
    """Time both paths for 1 to 64 heads of the same total size."""
    rows = []
    torch.set_num_threads(1)
    for length in lengths:
        x = torch.randn(1, length, 512, device=device)
        contestants = {}
        for num_heads in (1, 2, 4, 8, 16, 32, 64):
            module = MultiHeadAttention(512, num_heads, device=device).eval()
            functions = {
                f"fused {num_heads}": lambda x, module=module: module(x)[0],
                f"with weights {num_heads}": lambda x, module=module: module(x, need_weights=True)[
                    0
                ],
            }
            contestants |= runnable(functions, x, backward=False)
        medians = alternate(contestants, seconds=seconds, device=device)
        row = {"length": length, "d_model": 512}
        print(f"\n{length} tokens, d_model 512, 1 thread: time against 1 head")
        for path in ("fused", "with weights"):
            times = {n: medians[f"{path} {n}"] for n in (1, 2, 4, 8, 16, 32, 64)}
            row[path] = {n: median / times[1] for n, median in times.items()}
            cells = "".join(f"{n:>5}: {ratio:4.2f}" for n, ratio in row[path].items())
            print(f"  {path:<14}{cells}", flush=True)
        rows.append(row)
    return rows


def bench_memory(lengths, device):
    """Measure the peak memory of one forward as the sequence grows, and its exponent."""
    row = {"d_model": 256, "num_heads": 4, "lengths": list(lengths), "peak MiB": {}}
    module = MultiHeadAttention(256, 4, device=device).eval()
    print("\nPeak memory of one forward, d_model 256, 4 heads, fp32 (MiB)")
    for need_weights, name in ((False, "fused"), (True, "with weights")):
        peaks = []
        for length in lengths:
            x = torch.randn(1, length, 256, device=device)
            with torch.no_grad():
                peaks.append(peak_bytes(lambda x=x, w=need_weights: module(x, need_weights=w)))
        row["peak MiB"][name] = [peak / 2**20 for peak in peaks]
        exponent = math.log(peaks[-1] / peaks[-2]) / math.log(lengths[-1] / lengths[-2])
        row[f"exponent, {name}"] = exponent
        cells = "".join(
            f"{n:>7}: {peak / 2**20:<8.1f}" for n, peak in zip(lengths, peaks, strict=True)
        )
        print(f"  {name:<14}{cells} grows as N^{exponent:.2f}", flush=True)
    return row


def bench_generation(length, seconds, device):
    """Time greedy generation of ``length`` tokens with and without a cache."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    model = DecoderLM(1000, 256, 4, 4, max_len=length + 1, device=device).eval()
    start = torch.zeros(1, 1, dtype=torch.long, device=device)
    medians = alternate(
        {
            "with cache": lambda: model.generate(start, length),
            "without": lambda: model.generate(start, length, use_cache=False),
        },
        seconds=seconds,
        device=device,
    )
    ratio = medians["without"] / medians["with cache"]
    print(
        f"\nGeneration of {length} tokens, 4 layers, d_model 256, 1 thread: "
        f"{medians['with cache']:.2f} s with cache, {medians['without']:.2f} s without, "
        f"{ratio:.1f} times",
        flush=True,
    )
    return {"length": length, "seconds": medians, "without / with cache": ratio}


def bench_kept(context, batch, seconds, device):
    """Time one step of generation behind ``context`` tokens, for each kind of key heads.

    "x reading" is its median time over that of adding up all weights and all that the cache holds:
    what a step reads at least.
    """
    torch.set_num_threads(1)
    torch.manual_seed(0)
    row = {"context": context, "batch": batch, "layers": 4, "d_model": 1024, "heads": 16}
    row |= {"cache MiB": {}, "milliseconds": {}, "x reading": {}}
    print(
        f"\nOne step behind {context} tokens, batch {batch}, 4 layers, d_model 1024, 16 heads, "
        "fp32\n"
        f"  {'':<20}{'cache MiB':>10}{'ms':>10}{'x reading':>10}"
    )
    for kind, num_kv_heads in (("16 key heads", 16), ("4 key heads", 4), ("1 key head", 1)):
        model = _decoder(num_kv_heads, device)
        _time_step(row, kind, model, model.make_caches(batch, context + 1), seconds, device)
    model = _decoder(16, device)
    for block in model.stack.blocks:
        rotary = RotaryEmbedding(32)
        block.attention = LatentAttention(1024, 16, 256, rotary=rotary, device=device)
    caches = [block.attention.make_cache(batch, context + 1) for block in model.stack.blocks]
    _time_step(row, "latent of 256 + 32", model, caches, seconds, device)
    return row


def _decoder(num_kv_heads, device):
    options = {"positions": "rotary", "num_kv_heads": num_kv_heads, "device": device}
    return DecoderLM(1000, 1024, 16, 4, **options).eval()


def _time_step(row, kind, model, caches, seconds, device):
    context, batch = row["context"], row["batch"]
    token = torch.zeros(batch, 1, dtype=torch.long, device=device)
    weights = [p.detach() for name, p in model.named_parameters() if "embedding" not in name]

    def step():
        for cache in caches:
            cache.length = context  # forget the token of the step before
        with torch.no_grad():
            model(token, caches=caches)

    def read():
        for tensor in (*weights, *held):
            tensor.sum()

    step()
    held = [
        tensor for cache in caches for tensor in vars(cache).values() if torch.is_tensor(tensor)
    ]
    medians = alternate({"step": step, "read": read}, seconds=seconds, device=device)
    row["cache MiB"][kind] = sum(t.numel() * t.element_size() for t in held) / 2**20
    row["milliseconds"][kind] = 1000 * medians["step"]
    row["x reading"][kind] = medians["step"] / medians["read"]
    numbers = (row["cache MiB"][kind], row["milliseconds"][kind], row["x reading"][kind])
    print(f"  {kind:<20}{numbers[0]:>10.1f}{numbers[1]:>10.2f}{numbers[2]:>10.2f}", flush=True)


def bench_import(rounds):
    """Time ``import course_lib`` against ``import torch`` in fresh processes."""
    times = {"torch": [], "course_lib": []}
    for i in range(rounds + 1):
        for name in times:
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", f"import {name}"], check=True)
            if i > 0:
                times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(values) for name, values in times.items()}
    ratio = medians["course_lib"] / medians["torch"]
    print(
        f"\nimport course_lib: {ratio:.2f} times import torch ({medians['torch']:.2f} s)",
        flush=True,
    )
    return {"seconds": medians, "course_lib / torch": ratio}


def describe_machine(device):
    """Return what the numbers were measured on."""
    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        processor = names[0].split(":")[1].strip() if names else processor
    return {
        "processor": processor,
        "gpu": torch.cuda.get_device_name() if device == "cuda" else None,
        "torch": torch.__version__,
        "python": platform.python_version(),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="one shape and few rounds")
    parser.add_argument("--output", type=Path, help="write the JSON here")
    parser.add_argument("--seconds", type=float, help="per comparison; 10, or 2 with --quick")
    arguments = parser.parse_args()
    quick = arguments.quick
    seconds = arguments.seconds or (2.0 if quick else 10.0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    machine = describe_machine(device)
    print(", ".join(f"{name}: {value}" for name, value in machine.items() if value))

    dtypes = [torch.float32, torch.bfloat16] + ([torch.float16] if device == "cuda" else [])
    shapes = QUICK_SHAPES if quick else (GPU_SHAPES if device == "cuda" else SHAPES)
    threads = (1,) if quick or device == "cuda" else (1, 2)
    results = {
        "machine": machine,
        "speed": bench_speed(shapes, dtypes, threads, seconds, device),
        "heads": bench_heads((256,) if quick else (256, 2048), seconds, device),
        "memory": bench_memory(
            (512, 1024, 2048) if quick else (512, 1024, 2048, 4096, 8192), device
        ),
        "generation": bench_generation(128 if quick else 512, seconds, device),
        "kept": bench_kept(
            2048 if quick else 16384, 16 if device == "cuda" else 1, seconds, device
        ),
        "import": bench_import(3 if quick else 10),
    }
    if arguments.output:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(json.dumps(results, indent=1) + "\n")
        print(f"\nwritten: {arguments.output}")


if __name__ == "__main__":
    main()
