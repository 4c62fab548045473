"""From a measured table to a verdict, a sentence and a picture."""

from collections.abc import Callable

import torch

from course_lib.study.examine.measuring import Measurements
from course_lib.study.examine.report import (
    FAILED,
    MOVED,
    MUST,
    MUST_NOT,
    NAN,
    NOT_APPLICABLE,
    PASSED,
    STILL,
    Finding,
    Picture,
)

Path = bool | None
IF_POSITIONS = (
    "If it adds positions itself, or cuts the sequence into blocks, pass has_positions=True."
)
PATHS = {False: "without weights", True: "with weights"}


def influence(
    test: str,
    of: Measurements,
    tables: dict[Path, torch.Tensor],
    may: torch.Tensor,
    must: torch.Tensor,
    words: tuple[str, str, str],
    axes: tuple[str, str] = ("output", "changed token"),
) -> Finding:
    """Judge who moves whom: ``may`` and ``must`` are what is allowed and demanded.

    ``words`` say that all is well, that {row} moved with {column} and must not, and that it did
    not and must. An output that is nan before anything is changed is not judged: the first test
    tells of it.
    """
    fine, leak, blind = words
    verdicts, broken, bad = {}, {}, []
    for path, moved in tables.items():
        of.tables[test, path] = moved
        broken[path] = _nan_rows(of, path, len(moved))
        wrong, missing = moved & ~may, must & ~moved
        verdict = torch.where(wrong, 2, torch.where(missing, 3, moved.int()))
        verdicts[path] = verdict.masked_fill(broken[path], 4)
        if ((wrong | missing) & ~broken[path]).any():
            bad.append(path)
    shown = bad[0] if bad else of.paths[0]
    verdict = verdicts[shown]
    text = fine
    if bad:
        sentences = []
        for kind, sentence, base in ((2, leak, ~may), (3, blind, must)):
            pairs = (verdict == kind).nonzero().tolist()
            if pairs:
                row, column = pairs[0]
                sentences.append(sentence.format(row=row, column=column))
                sentences.append(
                    f"That is so for {len(pairs)} of {(base & ~broken[shown]).sum()} such pairs."
                )
        text = " ".join(sentences) + only_on(of, bad)
    meanings = {
        MOVED: "moved, as it may",
        STILL: "did not move",
        MUST_NOT: "moved and must not",
        MUST: "did not move and must",
    }
    if broken[shown].any():
        meanings[NAN] = "nan, so nothing to compare"
    return Finding(test, FAILED if bad else PASSED, text, picture(verdict, *axes, meanings))


def _nan_rows(of: Measurements, path: Path, length: int) -> torch.Tensor:
    """Which outputs are nan as they come (length, 1); False where that was not measured."""
    broken = of.tables.get(("broken", path))  # (sequences, of.length)
    if broken is None or broken.shape[-1] != length:
        return torch.zeros(length, 1, dtype=torch.bool)
    return broken.any(dim=0)[:, None]


def same(
    test: str,
    of: Measurements,
    tables: dict[Path, torch.Tensor],
    words: tuple[str, str],
    axes: tuple[str, str] = ("sequence", "token"),
) -> Finding:
    """Judge outputs that must be the same: ``tables`` is True where they differ."""
    fine, differ = words
    for path, table in tables.items():
        of.tables[test, path] = table
    bad = [path for path, table in tables.items() if table.any()]
    table = tables[bad[0] if bad else next(iter(tables))]
    text = fine
    if bad:
        row, column = table.nonzero()[0].tolist()
        count = f"{table.sum()} of {table.numel()} outputs differ."
        text = f"{differ.format(row=row, column=column)} {count}{only_on(of, bad)}"
    meanings = {STILL: "the same", MUST_NOT: "differs"}
    return Finding(test, FAILED if bad else PASSED, text, picture(2 * table, *axes, meanings))


def picture(codes: torch.Tensor, rows: str, columns: str, meanings: dict[str, str]) -> Picture:
    signs = (STILL, MOVED, MUST_NOT, MUST, NAN)
    cells = tuple(tuple(signs[code] for code in row) for row in codes.int().tolist())
    return Picture(cells, rows, columns, meanings)


def only_on(of: Measurements, bad: list[Path]) -> str:
    """Name the path where one fails and the other does not."""
    if len(bad) == len(of.paths) or bad == [None]:
        return ""
    return (
        f" Only when it is called {' and '.join(PATHS[path] for path in bad if path is not None)}."
    )


def not_applicable(test: str, why: str) -> Finding:
    return Finding(test, NOT_APPLICABLE, why)


def on_each_path(of: Measurements, measure: Callable[[Path], torch.Tensor]) -> dict:
    return {path: measure(path) for path in of.paths}


def separate(of: Measurements, test: str, judge: Callable[[], Finding]) -> Finding:
    """Run a test that gives keys beside the queries, where the layer takes them."""
    if of.layer.memory is not None:
        return not_applicable(
            test,
            "Outputs depend on other tokens of the first input, as in a decoder layer. In "
            "cross-attention they must not.",
        )
    if not of.layer.takes_keys:
        return not_applicable(test, "The layer takes no keys beside its queries.")
    try:
        return judge()
    except Exception as error:  # whatever somebody's layer raises
        return not_applicable(test, f"The layer refuses keys beside its queries: {error}")
