"""The tables of long experiments fit the lessons that they come from."""

import re
import statistics

import pytest

import record_maps
from course_lib.recorded import load_maps, load_table
from notebook_files import ROOT, read_notebook
from record import RECORDINGS, TABLES, Recording, grid, stored_digest, without_comments


def test_every_table_has_its_recording_and_every_recording_its_table():
    assert {path.stem for path in TABLES.glob("*.csv")} == set(RECORDINGS)


@pytest.mark.parametrize("name", RECORDINGS)
def test_code_has_not_changed_since_the_table_was_made(name):
    assert stored_digest(name) == RECORDINGS[name].digest(), f"run `make record X={name}`"


NOTHING_IS_DRAWN = {"real_logits"}  # what another package computes of one sentence


@pytest.mark.parametrize("name", RECORDINGS)
def test_table_holds_every_setting_with_at_least_five_seeds(name):
    recording = RECORDINGS[name]
    assert len(recording.seeds) >= 5 or name in NOTHING_IS_DRAWN
    rows = load_table(name)
    for setting in recording.settings:
        fitting = [row for row in rows if setting.items() <= row.items()]
        assert {row["seed"] for row in fitting} == set(recording.seeds), setting


@pytest.mark.parametrize("name", RECORDINGS)
def test_lesson_shows_the_table_and_has_the_function(name):
    recording = RECORDINGS[name]
    cells = read_notebook(recording.notebook).cells
    assert any(f'load_table("{name}")' in cell.source for cell in cells)
    assert any(f"def {recording.function}(" in source for source in recording.sources())


def test_unknown_table_is_refused():
    with pytest.raises(ValueError, match="name must be one of .*got 'none'"):
        load_table("none")


def test_maps_of_the_real_model_fit_their_sentences():
    assert record_maps.stored_digest() == record_maps.digest(), "run `make record X=real_maps`"
    assert record_maps.FILE.stat().st_size < 300_000
    shown, kept_aside = load_maps(), load_maps(kept_aside=True)
    assert tuple(shown) == record_maps.SENTENCES
    assert tuple(kept_aside) == record_maps.KEPT_ASIDE
    assert not shown.keys() & kept_aside.keys()
    for text, (pieces, weights) in (shown | kept_aside).items():
        assert "".join(pieces) == text
        assert weights.shape == (30, 9, len(pieces), len(pieces))
        assert weights.triu(1).count_nonzero() == 0 and weights.min() >= 0
        assert (weights.sum(dim=-1) - 1).abs().max() < 2e-3


def test_grid_combines_everything():
    assert grid(heads=(1, 2), seen=("a",)) == [{"heads": 1, "seen": "a"}, {"heads": 2, "seen": "a"}]


def test_digest_ignores_comments_and_layout_and_nothing_else(monkeypatch):
    def digest(*sources, **options):
        monkeypatch.setattr(Recording, "sources", lambda self: list(sources))
        return Recording("lesson", "f", **options).digest()

    first = digest("def f(seed):\n    return seed  # a comment")
    assert first == digest("def f( seed ):\n\n    return seed")
    assert first != digest("def f(seed):\n    return seed + 1")
    assert digest("if a:\n    b()\n    c()") != digest("if a:\n    b()\nc()")
    assert first != digest("def f(seed):\n    return seed", settings=[{"heads": 2}])
    assert first != digest("def f(seed):\n    return seed", seeds=range(6))


F_STRINGS = (  # each as it is written
    'f"{ seed + 1 :>{ width }} {{}} {seed!r} # {x}"',
    'f\'{f"{ a + b }" + "c d"}\'',
    'rf"""{\n  seed }\n\n  d"""',
    'f""',
)


@pytest.mark.parametrize("text", F_STRINGS)
def test_an_f_string_is_one_word_in_every_python(text):
    """From Python 3.12 on, tokenize takes it apart: digests made with 3.11 would not hold."""
    source = f"f( {text}, {text} )  # a comment\nα = 'é' + {text}\n"
    assert without_comments(source) == f"f({text},{text})\nα='é'+{text}\n"


def test_the_page_on_speed_says_what_lesson_12s_tables_say():
    paths = ("explicit", "loop", "is_causal", "mask")
    page = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    lines = re.findall(r"^\| (CPU|H100), (\d+) \| (.+) \|$", page, re.MULTILINE)
    assert len(lines) == 6
    for place, seq_len, cells in lines:
        table = load_table("attention_timed" if place == "CPU" else "attention_timed_gpu")
        rows = [row for row in table if row["seq_len"] == int(seq_len)]
        ms = {(row["path"], row["seed"]): row["ms"] for row in rows}
        for path, cell in zip(paths, cells.split(" | "), strict=True):
            ratios = [ms[path, seed] / ms["fused", seed] for seed in range(5)]
            assert cell == f"{statistics.median(ratios):.2f}", (place, seq_len, path)
