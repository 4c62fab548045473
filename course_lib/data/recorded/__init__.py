"""Results of experiments that take too long for a lesson, one table for each.

A table says for each seed and setting what came out. Its experiment stands in a lesson, in the
cells tagged ``recorded``; ``make record X=NAME`` runs these cells for all seeds and writes
``NAME.csv`` here. Beside them lie the maps of all heads of a real model, ``load_maps()``.
"""

import csv
import json
from contextlib import suppress
from importlib.resources import as_file, files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def load_table(name: str) -> list[dict[str, bool | int | float | str]]:
    """Return the rows of a table, such as "pointer_heads": seed, settings and results by name.

    Raises:
        ValueError: there is no such table.
    """
    table = files(__name__) / f"{name}.csv"
    if not table.is_file():
        names = (path.name for path in files(__name__).iterdir())
        known = sorted(name.removesuffix(".csv") for name in names if name.endswith(".csv"))
        raise ValueError(f"name must be one of {known}, got {name!r}")
    lines = table.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return [{key: _value(text) for key, text in row.items()} for row in rows]


def load_maps(*, kept_aside: bool = False) -> dict[str, tuple[list[str], "torch.Tensor"]]:
    """Return what every head of SmolLM2 (``course_lib.data.real_model``) does with a few sentences.

    ``make record X=real_maps`` makes them; they were rounded to float16. Five sentences are there
    to be looked at; ``kept_aside=True`` gives four others, on which a prediction can be tested that
    was made with the five.

    Returns:
        For each text the pieces of its tokens, and the weights (layers, heads, length, length),
        float32, as the model gives them with ``need_weights=True``.
    """
    import torch
    from safetensors import safe_open

    maps = {}
    with as_file(files(__name__) / "real_maps.safetensors") as path, safe_open(path, "pt") as file:
        about = json.loads(file.metadata()["about"])
        for text, pieces in about["pieces"].items():
            if (text in about["kept_aside"]) != kept_aside:
                continue
            triangle = file.get_tensor(text).float()  # (layers, heads, pairs of query and key)
            rows, columns = torch.tril_indices(len(pieces), len(pieces))
            weights = triangle.new_zeros(*triangle.shape[:2], len(pieces), len(pieces))
            weights[..., rows, columns] = triangle
            maps[text] = (pieces, weights)
    return maps


def _value(text: str) -> bool | int | float | str:
    if text in ("True", "False"):
        return text == "True"
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text
