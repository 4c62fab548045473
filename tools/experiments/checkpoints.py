"""Train and measure the models that a lesson ships: make checkpoints (one: X=NAME).

A model comes from the lesson's own cells tagged `recorded`, as record.py runs them: one function
trains it, `train(seed, **arguments)`, which returns the model and its history, another measures
it, `measure(model)`. What is measured is the file as it is stored. A file that is there already is
replaced only if the new model measures the same. `make checkpoints KEEP=1` trains nothing and says
of the models that they fit the cells as they are now.
"""

import argparse
import hashlib
import json
import sys
from dataclasses import dataclass, field
from functools import partial

from tools.experiments.record import Recording
from tools.notebooks.notebook_files import ROOT

FOLDER = ROOT / "course_lib" / "data" / "checkpoints"
MANIFEST = FOLDER / "manifest.json"
TOLERANCE = 0.05  # of a score; a training on another processor ends a little elsewhere


@dataclass(frozen=True)
class Checkpoint:
    """One shipped model: the lesson's functions that make and measure it."""

    lesson: str
    train: str
    measure: str
    seed: int
    options: dict  # of DecoderLM
    arguments: dict = field(default_factory=dict)  # of `train`, besides the seed

    def recording(self) -> Recording:
        seeds = range(self.seed, self.seed + 1)
        return Recording(self.lesson, self.train, [self.arguments], seeds)

    def measured(self, model) -> dict[str, float]:
        """The scores of a model, by the lesson's own function."""
        scores = self.recording().run_cells()[self.measure](model)
        return {name: round(float(score), 3) for name, score in scores.items()}


_INDUCTION = {
    "vocab_size": 48,
    "d_model": 64,
    "num_heads": 4,
    "num_layers": 2,
    "d_ff": 0,
    "max_len": 48,
}
_AGREEMENT = {"vocab_size": 57, "d_model": 64, "num_heads": 8, "num_layers": 2, "max_len": 12}

induction = partial(
    Checkpoint, "10_induction_heads", "train_induction", "measure_induction", seed=0
)
agreement = partial(
    Checkpoint, "11_evidence_for_heads", "train_agreement", "measure_agreement", options=_AGREEMENT
)
CHECKPOINTS: dict[str, Checkpoint] = {
    "induction": induction(options=_INDUCTION | {"positions": "rotary"}),
    "induction_learned": induction(
        options=_INDUCTION | {"positions": "learned"}, arguments={"positions": "learned"}
    ),
    "agreement": agreement(seed=0),
    # The head that looks at the subject most is not the one that the verb depends on.
    "agreement_other": agreement(seed=4),
}


def read_manifest() -> dict[str, dict]:
    return json.loads(MANIFEST.read_text(encoding="utf-8")) if MANIFEST.exists() else {}


def write_manifest(entries: dict[str, dict]) -> None:
    MANIFEST.write_text(json.dumps(entries, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def differing(
    scores: dict[str, float], stored: dict[str, float], tolerance: float = TOLERANCE
) -> list[str]:
    """Say which scores are not as they were."""
    return [
        f"{name}: {stored.get(name)} is now {scores.get(name)}"
        for name in sorted(scores.keys() | stored.keys())
        if name not in scores or name not in stored or abs(scores[name] - stored[name]) > tolerance
    ]


def build(name: str, replace: bool) -> list[str]:
    """Train, store and measure; return how the scores differ from those of the stored file."""
    import torch
    from safetensors.torch import save

    from course_lib.data.checkpoints import read_model

    torch.set_num_threads(1)
    checkpoint = CHECKPOINTS[name]
    train = checkpoint.recording().run_cells()[checkpoint.train]
    model, _ = train(checkpoint.seed, **checkpoint.arguments)
    content = save({key: value.cpu().half() for key, value in model.state_dict().items()})
    scores = checkpoint.measured(read_model(content, checkpoint.options))
    entries = read_manifest()
    changes = differing(scores, entries[name]["scores"]) if name in entries else []
    if changes and not replace:
        return changes
    (FOLDER / f"{name}.safetensors").write_bytes(content)
    entries[name] = {
        "lesson": checkpoint.lesson,
        "function": checkpoint.train,
        "arguments": checkpoint.arguments,
        "seed": checkpoint.seed,
        "options": checkpoint.options,
        "scores": scores,
        "sha256": hashlib.sha256(content).hexdigest(),
        "command": f"make checkpoints X={name}",
        "torch": torch.__version__.split("+")[0],
        "digest": checkpoint.recording().digest(),
    }
    write_manifest(entries)
    return changes


def keep(name: str) -> None:
    """Give a model that is right as it is the digest of the code as it is now."""
    entries = read_manifest()
    entries[name]["digest"] = CHECKPOINTS[name].recording().digest()
    write_manifest(entries)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="all when none is named")
    parser.add_argument("--replace", action="store_true", help="also where the scores differ")
    parser.add_argument("--keep", action="store_true", help="the models are right as they are")
    options = parser.parse_args()
    if unknown := set(options.names) - set(CHECKPOINTS):
        parser.error(f"{sorted(unknown)}: the checkpoints are {sorted(CHECKPOINTS)}")
    failed = False
    for name in options.names or CHECKPOINTS:
        if options.keep:
            keep(name)
            continue
        changes = build(name, options.replace)
        failed |= bool(changes) and not options.replace
        scores = ", ".join(
            f"{key} {value}" for key, value in read_manifest()[name]["scores"].items()
        )
        print(f"{name}: {'; '.join(changes) or scores}")
    if failed:
        print("The stored files were kept. To take the new models: REPLACE=1", file=sys.stderr)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
