"""Run an experiment of a lesson for all its seeds and settings: make record X=NAME.

The experiment is the lesson's own code: its cells tagged `recorded`, run in order in one namespace,
and then one function of theirs, called as `function(seed, **setting)`. Cells with a tag of one
experiment's own run for this one only, so that a change in them asks for no other table. The
function returns a dictionary of numbers, or a list of them (a row each, for curves). The table goes
to course_lib/data/recorded/NAME.csv, with a digest of what decides its numbers: change that, and a
test asks for a new table. Where a change cannot have changed a number (a variable has another
name), `make record X=NAME KEEP=1` runs nothing and gives the table the new digest. The maps of a
real model, real_maps, come from record_maps.py instead of a lesson.
"""

import argparse
import csv
import hashlib
import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path

from tools.experiments import record_maps
from tools.experiments.experiment_code import what_decides
from tools.notebooks.notebook_files import ROOT, cell_tags, read_notebook

TABLES = ROOT / "course_lib" / "data" / "recorded"
TAG = "recorded"


def grid(**choices: Iterable) -> list[dict]:
    """Every combination: grid(heads=(1, 2), pointers=(1, 4)) gives four settings."""
    return [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]


@dataclass(frozen=True)
class Recording:
    """What is run: the function of the lesson, with every setting and every seed."""

    lesson: str
    function: str
    settings: list[dict] = field(default_factory=lambda: [{}])
    seeds: range = range(5)
    own_tag: str = TAG  # of cells that no other recording of the lesson needs

    @property
    def notebook(self) -> Path:
        return ROOT / "notebooks" / f"{self.lesson}.ipynb"

    def sources(self) -> list[str]:
        """The lesson's cells that define the experiment."""
        cells = read_notebook(self.notebook).cells
        tags = {TAG, self.own_tag}
        return [cell.source for cell in cells if tags & set(cell_tags(cell))]

    def run_cells(self) -> dict:
        """Run these cells, in order, and return the names that they define."""
        namespace: dict = {"__name__": "recorded"}
        for source in self.sources():
            exec(compile(source, f"{self.lesson}, a recorded cell", "exec"), namespace)
        return namespace

    def digest(self) -> str:
        """Of all that decides the numbers: the code, the settings and the seeds."""
        settings = [self.function, repr(self.settings), repr(self.seeds)]
        parts = [*what_decides(self.sources()), *settings]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


CPU, GPU = ("cpu",), ("cuda",)  # a table that ends in _gpu needs a GPU to be made again

SMALL_CHANGES = (
    "no change",
    "wider",
    "softcap",
    "output gate",
    "learned sink",
    "no positions",
    "shared keys",
    "convolution",
    "exclusive",
)

# Lessons with several recordings. The last ones are of one lesson, with cells of their own.
positions = partial(Recording, "07_positions")
block = partial(Recording, "08_transformer_block")
writer = partial(block, own_tag="recorded-writer")
translator = partial(Recording, "09_encoder_decoder")
fast = partial(Recording, "12_fast_attention")
cache = partial(Recording, "13_cache_and_shared_heads")
real = partial(Recording, "16_real_language_model")
patterns, triggers, lookups, choosing, changes = (
    partial(Recording, "14_bounded_memory", own_tag=f"recorded-{what}")
    for what in ("patterns", "triggers", "lookups", "choosing", "changes")
)

# The name of a table: what makes it. Several recordings of a lesson share its tagged cells.
RECORDINGS: dict[str, Recording] = {
    "pointer_heads": Recording(
        "03_many_heads",
        "pointer_heads",
        grid(pointers=(1, 2, 4), heads=(1, 2, 4, 8, 16, 32)) + grid(pointers=(3,), heads=(2,)),
    ),
    "pointer_limits": Recording(
        "03_many_heads",
        "pointer_limits",
        grid(
            case=(
                "2 layers of 1 head",
                "1 head and MLP",
                "1 head and MLP, 1600 steps",
                "1 head and MLP, k=4, 1600 steps",
                "unordered, 1 head",
                "copy, 1 head",
                "copy, 8 heads",
                "32 heads, k=4, 800 steps",
                "32 heads, k=4, rate 0.01",
                "width 16, 2 heads",
                "width 16, 2 heads, 1600 steps",
                "width 256, 1 head",
            )
        ),
    ),
    "cheating_decoder": Recording(
        "05_causal_masking", "cheat", grid(mask=("causal", "missing", "inverted"))
    ),
    "place_from_mask": Recording(
        "05_causal_masking",
        "tell_the_place",
        [
            {"mask": "causal", "start": 1},
            {"mask": "causal", "start": 0},
            {"mask": "missing", "start": 1},
        ],
    ),
    "reversal_models": Recording(
        "06_cross_attention",
        "reverse",
        grid(kind=("position only",), num_heads=(1, 4), shortest=(10,), rule=("none",))
        + grid(
            kind=("position only", "query knows n", "keys count", "encoder reads"),
            num_heads=(1,),
            shortest=(3,),
            rule=("padding",),
        )
        + grid(kind=("encoder reads",), num_heads=(1,), shortest=(3,), rule=("none",)),
    ),
    "reversal_heads": Recording(
        "06_cross_attention", "reverse_for_long", grid(num_heads=(1, 8)), own_tag="recorded-heads"
    ),
    "new_forms": Recording("09_encoder_decoder", "new_forms", own_tag="recorded-forms"),
    "new_forms_longer": Recording(
        "09_encoder_decoder",
        "new_forms",
        grid(steps=(1600,)),
        seeds=range(3),
        own_tag="recorded-forms",
    ),
    "date_maps": translator("date_maps"),
    "encoder_needed": translator(
        "encoder_needed", grid(kind=("encoder and decoder", "decoder alone"), steps=(100, 200, 400))
    ),
    "warmup_losses": translator("warmup_losses", grid(rises=(True, False))),
    "no_positions": positions(
        "accuracy_without_positions", grid(num_layers=(1, 2), is_causal=(False, True))
    ),
    "longer_than_trained": positions(
        "accuracy_by_length", grid(positions=("rotary", "sinusoidal", "learned"))
    ),
    "long_texts": Recording(
        "07_positions",
        "accuracy_in_long_texts",
        grid(task=("the symbol before", "behind the mark"), last_has_none=(False, True)),
        own_tag="recorded-long",
    ),
    "norm_order": block(
        "accuracy_by_order",
        grid(norm_first=(False,), warmup=(0.01, 0.3), num_blocks=(12,))
        + grid(norm_first=(True,), warmup=(0.01,), num_blocks=(12,))
        + grid(norm_first=(False,), warmup=(0.01,), num_blocks=(6,)),
    ),
    "without_parts": block(
        "accuracy_without",
        grid(
            task=("sum", "previous"),
            parts=("none", "residual", "FFN", "norm", "scale", "FFN, norm", "FFN, norm, residual"),
        ),
    ),
    "without_parts_longer": block(
        "accuracy_without",
        grid(task=("sum",), parts=("FFN", "FFN, norm"), longer=(4,))
        + grid(task=("previous",), parts=("residual",), longer=(4,)),
    ),
    "writer": writer("writer", grid(steps=(0, 100, 1000), num_heads=(1, 8)), seeds=range(3)),
    "writer_longer": writer("writer", grid(steps=(10_000,), num_heads=(1, 8)), seeds=range(3)),
    "heads_timed": Recording(
        "04_heads_in_one_matrix", "time_heads", grid(seq_len=(32, 256, 1024, 2048))
    ),
    "induction_heads": Recording(
        "10_induction_heads",
        "induction_heads",
        grid(case=("2 layers", "1 layer", "1 layer, wide", "2 layers, learned positions")),
    ),
    "roofline": fast("roofline", grid(place=CPU)),
    "roofline_gpu": fast("roofline", grid(place=GPU)),
    "attention_timed": fast("time_attention", grid(place=CPU, seq_len=(256, 1024, 4096))),
    "attention_timed_gpu": fast("time_attention", grid(place=GPU, seq_len=(256, 1024, 4096, 8192))),
    "weights_timed": fast("time_weights", grid(place=CPU, seq_len=(256, 1024))),
    "weights_timed_gpu": fast("time_weights", grid(place=GPU, seq_len=(256, 1024, 4096))),
    "qkv_timed_gpu": fast("time_qkv", grid(place=GPU, seq_len=(1, 32, 256, 2048))),
    "window_timed_gpu": fast("time_window", grid(place=GPU, seq_len=(1024, 4096, 16384))),
    "kernels_tried": fast("try_kernels", grid(place=CPU)),
    "kernels_tried_gpu": fast("try_kernels", grid(place=GPU)),
    "tokens_timed": cache("time_matrix"),
    "decode_timed": cache("time_decode", grid(key_len=(16384,))),
    "shared_heads": cache(
        "shared_heads",
        grid(
            kind=("key heads 4", "key heads 2", "key heads 1", "latent 2", "latent 1"),
            head_dim=(8, 16),
        ),
    ),
    "shared_longer": cache(
        "shared_heads", grid(kind=("key heads 1",), head_dim=(16,), steps=(2400,))
    ),
    "trained_longer": Recording(
        "13_cache_and_shared_heads",
        "trained_longer",
        grid(kv_heads=(1, 4)),
        own_tag="recorded-longer",
    ),
    "converted_heads": cache("converted_heads"),
    "parallel_timed": Recording("15_heads_across_devices", "time_blocks", grid(processes=(1, 2))),
    "layer_patterns": patterns("layer_pattern", grid(pattern=("WW", "GW", "WG", "GG", "WL", "WD"))),
    "patterns_longer": patterns("layer_pattern", grid(pattern=("WD", "GW"), steps=(1200,))),
    "trigger_heads": triggers(
        "trigger_head", grid(kind=("softmax", "sink", "gate", "sigmoid"), first=("start", "symbol"))
    ),
    "trigger_heads_longer": triggers(
        "trigger_head",
        grid(kind=("softmax", "sink"), first=("symbol",), steps=(2400,))
        + grid(kind=("sink", "gate", "sigmoid"), first=("start",), steps=(2400,)),
    ),
    "recall_by_state": lookups(
        "recall", grid(kind=("softmax", "linear", "unit keys", "delta"), head_dim=(8, 16))
    ),
    "recall_longer": lookups(
        "recall", grid(kind=("delta", "unit keys", "linear"), head_dim=(16,), steps=(1000, 3000))
    ),
    "overwritten": lookups(
        "overwrite", grid(kind=("softmax", "linear", "unit keys", "delta"), decays=(False, True))
    ),
    "logit_growth": lookups("logit_growth", grid(kind=("softmax", "QK-norm"), lr=(0.01, 0.1))),
    "chosen_keys": choosing("chosen_keys", grid(sees=("trained indexer", "untrained indexer"))),
    "chosen_controls": choosing(
        "chosen_keys",
        grid(sees=("everything", "window", "window and first", "oracle")),
        seeds=range(1),
    ),
    "small_changes": changes("small_change", grid(change=SMALL_CHANGES)),
    "small_changes_longer": changes("small_change", grid(change=SMALL_CHANGES, steps=(2400,))),
    "real_copying": real("copying"),
    "real_sink": real("without_the_sink"),
    "real_agreement": real("agreement_heads"),
    "real_logits": real("transformers_logits", seeds=range(1)),
    "serving_timed": Recording("17_serving", "time_forwards"),
    "agreement_heads": Recording(
        "11_evidence_for_heads",
        "agreement_heads",
        grid(
            case=(
                "8 heads, 2 layers",
                "1 head, 2 layers",
                "8 heads, 1 layer",
                "8 heads, 2 layers, rotary",
            )
        ),
        seeds=range(10),
    ),
    "agreement_patches": Recording(
        "11_evidence_for_heads", "agreement_patches", seeds=range(10), own_tag="recorded-patches"
    ),
}


def stored_digest(name: str) -> str | None:
    """The digest in the table's first line; None where there is no table."""
    path = TABLES / f"{name}.csv"
    if not path.exists():
        return None
    return path.read_text(encoding="utf-8").splitlines()[0].rpartition(" ")[2]


def record(name: str) -> None:
    import torch
    from tqdm import tqdm

    torch.set_num_threads(1)
    recording = RECORDINGS[name]
    namespace = recording.run_cells()
    rows = []
    runs = list(product(recording.settings, recording.seeds))
    for setting, seed in tqdm(runs, desc=name):
        results = namespace[recording.function](seed, **setting)
        for result in results if isinstance(results, list) else [results]:
            rounded = {
                key: value if isinstance(value, (int, str)) else round(float(value), 4)
                for key, value in result.items()
            }
            rows.append({"seed": seed, **setting, **rounded})
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    command = f"# made by: make record X={name} (torch {torch.__version__.split('+')[0]}), digest"
    (TABLES / f"{name}.csv").write_text(f"{command} {recording.digest()}\n{text.getvalue()}")


def keep(name: str) -> None:
    """Write the digest of the code as it is now into a table that is right as it is."""
    path = TABLES / f"{name}.csv"
    text = path.read_text(encoding="utf-8")
    digest = RECORDINGS[name].digest()
    path.write_text(text.replace(str(stored_digest(name)), digest, 1), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="all whose lesson has changed, when none is named")
    parser.add_argument("--keep", action="store_true", help="the tables are right as they are")
    options = parser.parse_args()
    names = options.names
    known = [*RECORDINGS, record_maps.NAME]
    if unknown := set(names) - set(known):
        parser.error(f"{sorted(unknown)}: the recordings are {sorted(known)}")
    if not names:
        names = [name for name in RECORDINGS if stored_digest(name) != RECORDINGS[name].digest()]
        names += [record_maps.NAME] * (record_maps.stored_digest() != record_maps.digest())
    for name in names:
        if name == record_maps.NAME:
            record_maps.record()
        else:
            keep(name) if options.keep else record(name)
    if not names:
        print("Every table fits its lesson.")


if __name__ == "__main__":
    main()
