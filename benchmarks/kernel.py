"""Time lesson 12's kernel on a GPU beside torch's own and the tiles: prints a table, writes JSON.

    python benchmarks/kernel.py --output FILE     # some minutes; needs a GPU and Triton

The kernel is the one that solutions/12_fast_attention holds. For each length the table has the
median milliseconds of each contestant, the bytes that the kernel's programs ask for (the queries
once, the keys and values once for each block of queries), and the least time that the card's
memory and its arithmetic allow for them: the roof of lesson 12, measured in the same run. Programs
that run at once find many of their keys in the card's cache: the kernel may beat that memory.
"""

import argparse
import json
import linecache
import sys
from functools import partial
from pathlib import Path

import torch
import torch.nn.functional as F
from timing import alternate

from course_lib.attention.kernels import MISSING, attend_with, tl, triton
from course_lib.attention.tiled import tiled_attention
from tools.notebooks.notebook_files import ROOT, read_notebook

SOLUTION = ROOT / "solutions" / "12_fast_attention" / "12_fast_attention.ipynb"
LENGTHS = (1024, 2048, 4096, 8192, 16384)
LONGEST_IN_TILES = 4096  # a loop in Python: beyond, it takes minutes
NUM_HEADS, HEAD_DIM, BLOCK = 16, 64, 64


def kernel_of_the_solution():
    """The function ``attention_kernel``, whose source Triton can read."""
    cells = read_notebook(SOLUTION).cells
    source = next(cell.source for cell in cells if "def attention_kernel(" in cell.source)
    file = "<the solution>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    names = {"tl": tl, "attend_with": attend_with}
    exec(compile(source, file, "exec"), names)
    return names["attention_kernel"]


def roof(device, seconds, side=8192, copied=2**28):
    """Operations and bytes for each second, of a large product and a large copy in float16."""
    a, b = (torch.randn(side, side, device=device, dtype=torch.float16) for _ in range(2))
    x, y = (torch.zeros(copied, device=device, dtype=torch.float16) for _ in range(2))
    works = {"product": lambda: a @ b, "copy": lambda: y.copy_(x)}
    medians = alternate(works, seconds=seconds, device=device)
    return 2 * side**3 / medians["product"], 2 * x.nbytes / medians["copy"]


def row_of(length, is_causal, kernel, limits, device, seconds):
    torch.manual_seed(0)
    inputs = [
        torch.randn(NUM_HEADS, length, HEAD_DIM, device=device, dtype=torch.float16)
        for _ in range(3)
    ]
    contestants = {
        "torch": partial(F.scaled_dot_product_attention, *inputs, is_causal=is_causal),
        "kernel": partial(attend_with, kernel, *inputs, is_causal=is_causal, block_len=BLOCK),
    }
    if length <= LONGEST_IN_TILES:
        contestants["tiles"] = partial(tiled_attention, *inputs, is_causal=is_causal)
    right, ours = (contestants[name]().float() for name in ("torch", "kernel"))
    side = -(-length // BLOCK)
    tiles = NUM_HEADS * (side * (side + 1) // 2 if is_causal else side**2)
    operations = tiles * 4 * BLOCK**2 * HEAD_DIM
    read = 2 * HEAD_DIM * (NUM_HEADS * length + tiles * 2 * BLOCK)  # float16: 2 bytes a number
    medians = alternate(contestants, seconds=seconds, device=device)
    return {
        "length": length,
        "is_causal": is_causal,
        "off_by": (right - ours).abs().max().item(),
        "ms": {name: 1000 * median for name, median in medians.items()},
        "bytes_read": read,
        "ms_of_memory": 1000 * read / limits[1],
        "ms_of_arithmetic": 1000 * operations / limits[0],
    }


def print_row(row):
    times = "".join(f"{name} {ms:9.3f} ms  " for name, ms in row["ms"].items())
    causal = "causal" if row["is_causal"] else "      "
    print(
        f"{row['length']:6d} {causal}  {times}{row['bytes_read'] / 2**20:9.1f} MiB read, roof: "
        f"memory {row['ms_of_memory']:.3f} ms, arithmetic {row['ms_of_arithmetic']:.3f} ms",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, help="write the results to this file")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each row of the table")
    options = parser.parse_args()
    if triton is None:
        print(MISSING)
        return 1
    if not torch.cuda.is_available():
        print("There is no GPU here. Without one Triton only interprets, and times say nothing.")
        return 1
    kernel, limits = kernel_of_the_solution(), roof("cuda", options.seconds)
    results = {
        "card": torch.cuda.get_device_name(),
        "torch": torch.__version__,
        "triton": triton.__version__,
        "operations_a_second": limits[0],
        "bytes_a_second": limits[1],
        "heads": NUM_HEADS,
        "head_dim": HEAD_DIM,
        "block": BLOCK,
        "rows": [],
    }
    print(f"{results['card']}, float16, {NUM_HEADS} heads of {HEAD_DIM}, blocks of {BLOCK}")
    for length in LENGTHS:
        for is_causal in (False, True):
            row = row_of(length, is_causal, kernel, limits, "cuda", options.seconds)
            results["rows"].append(row)
            print_row(row)
    if options.output:
        options.output.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
