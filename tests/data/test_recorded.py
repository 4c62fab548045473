"""The tables of long experiments fit the lessons that they come from."""

import re
import statistics

import pytest

from course_lib.data.recorded import load_maps, load_table
from tools.experiments import record_maps
from tools.experiments.record import RECORDINGS, TABLES, Recording, grid, stored_digest
from tools.notebooks.notebook_files import ROOT, read_notebook


def test_every_table_has_its_recording_and_every_recording_its_table():
    assert {path.stem for path in TABLES.glob("*.csv")} == set(RECORDINGS)


@pytest.mark.parametrize("name", RECORDINGS)
def test_code_has_not_changed_since_the_table_was_made(name):
    assert stored_digest(name) == RECORDINGS[name].digest(), f"run `make record X={name}`"


# What another package computes of one sentence, and what a finished model says of five passages.
NOTHING_IS_DRAWN = {"real_logits", "chosen_controls"}
FEW_SEEDS = {1: "one seed", 3: "three seeds"}  # of what takes long


@pytest.mark.parametrize("name", RECORDINGS)
def test_table_holds_every_setting_with_five_seeds_or_the_lesson_says_with_how_many(name):
    recording = RECORDINGS[name]
    if len(recording.seeds) < 5 and name not in NOTHING_IS_DRAWN:
        text = "".join(cell.source for cell in read_notebook(recording.notebook).cells)
        assert FEW_SEEDS[len(recording.seeds)] in text.lower()
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


def digest(*sources, **options):
    class Given(Recording):
        def sources(self):
            return list(sources)

    return Given("lesson", "f", **options).digest()


CELLS = (
    "import torch\nfrom torch.nn.functional import softmax\n"
    "from course_lib.attention.masks import causal_mask",
    "def f(seed, heads=1):\n    if heads:\n        seed += 1\n"
    "    weights = softmax(torch.ones(2, 3), dim=-1)\n"
    "    return train(seed, weights, lr=3e-3, mask=causal_mask(4), text='a # b')\n",
)
OTHER = {
    "the learning rate": ("lr=3e-3", "lr=1e-3"),
    "the mask": ("mask=causal_mask(4)", "mask=padding_mask(4)"),
    "the mask, by what is imported": ("import causal_mask", "import padding_mask as causal_mask"),
    "a function of another package": ("from torch.nn.functional", "from torch.special"),
    "the seed": ("seed += 1", "seed += 2"),
    "a text": ("a # b", "a # c"),
    "what belongs to the condition": ("        seed += 1", "        pass\n    seed += 1"),
}


@pytest.mark.parametrize("what", OTHER)
def test_what_may_change_a_number_makes_the_table_due(what):
    old, new = OTHER[what]
    changed = [cell.replace(old, new) for cell in CELLS]
    assert changed != list(CELLS)
    assert digest(*changed) != digest(*CELLS)


def test_other_settings_and_seeds_make_the_table_due():
    assert len({digest(*CELLS), digest(*CELLS, settings=[{"heads": 2}]), digest(*CELLS[1:])}) == 3
    assert digest(*CELLS) != digest(*CELLS, seeds=range(6))


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
