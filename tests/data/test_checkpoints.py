"""The shipped models: they load without pickle, and measure what manifest.json says."""

import hashlib
import json

import pytest
import torch

from course_lib.data.checkpoints import load_checkpoint, manifest
from tools.experiments import checkpoints
from tools.experiments.checkpoints import CHECKPOINTS, FOLDER, differing


def test_every_file_is_built_by_make_checkpoints_and_described():
    assert set(CHECKPOINTS) == set(manifest())
    assert {path.stem for path in FOLDER.glob("*.safetensors")} == set(CHECKPOINTS)


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_cells_have_not_changed_since_the_model_was_trained(name):
    digest = CHECKPOINTS[name].recording().digest()
    assert manifest()[name]["digest"] == digest, f"run `make checkpoints X={name}`"


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_file_is_small_and_the_one_that_was_measured(name):
    content = (FOLDER / f"{name}.safetensors").read_bytes()
    assert len(content) < 300_000
    assert hashlib.sha256(content).hexdigest() == manifest()[name]["sha256"]
    assert manifest()[name]["seed"] == CHECKPOINTS[name].seed


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_model_measures_what_the_manifest_says(name):
    model = load_checkpoint(name)
    assert not model.training
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}
    scores, stored = CHECKPOINTS[name].measured(model), manifest()[name]["scores"]
    assert differing(scores, stored, tolerance=0.005) == []
    torch.manual_seed(0)
    untrained = type(model)(**CHECKPOINTS[name].options).eval()
    assert differing(CHECKPOINTS[name].measured(untrained), stored) != []


def test_unknown_checkpoint_is_refused():
    with pytest.raises(ValueError, match="name must be one of .*got 'none'"):
        load_checkpoint("none")


def test_another_file_under_the_name_is_refused(tmp_path, monkeypatch):
    name = next(iter(CHECKPOINTS))
    content = bytearray((FOLDER / f"{name}.safetensors").read_bytes())
    content[-1] ^= 1
    (tmp_path / f"{name}.safetensors").write_bytes(content)
    (tmp_path / "manifest.json").write_text(json.dumps(manifest()))
    monkeypatch.setattr("course_lib.data.checkpoints.files", lambda _: tmp_path)
    with pytest.raises(ValueError, match="is not the file that manifest.json describes"):
        load_checkpoint(name)


def test_scores_that_differ_are_named():
    stored = {"accuracy": 1.0, "subject": 0.98, "old": 0.5}
    assert differing({"accuracy": 0.97, "subject": 0.98, "old": 0.5}, stored) == []
    assert differing({"accuracy": 0.90, "subject": 0.98, "new": 0.5}, stored) == [
        "accuracy: 1.0 is now 0.9",
        "new: None is now 0.5",
        "old: 0.5 is now None",
    ]


def test_model_with_other_scores_is_not_stored_unless_asked(tmp_path, monkeypatch):
    from course_lib import DecoderLM

    options = {"vocab_size": 5, "d_model": 8, "num_heads": 2, "num_layers": 1, "max_len": 4}
    cells = {
        "train": lambda seed: (DecoderLM(**options), {}),
        "measure": lambda model: {"score": cells["score"]},
        "score": 0.9,
    }
    small = checkpoints.Checkpoint("lesson", "train", "measure", 0, options)
    monkeypatch.setattr(checkpoints.Recording, "run_cells", lambda self: cells)
    monkeypatch.setattr(checkpoints.Recording, "sources", lambda self: ["cells"])
    monkeypatch.setattr(checkpoints, "CHECKPOINTS", {"small": small})
    monkeypatch.setattr(checkpoints, "FOLDER", tmp_path)
    monkeypatch.setattr(checkpoints, "MANIFEST", tmp_path / "manifest.json")
    stored = tmp_path / "small.safetensors"

    assert checkpoints.build("small", replace=False) == []
    first = stored.read_bytes()
    cells["score"] = 0.6
    assert checkpoints.build("small", replace=False) == ["score: 0.9 is now 0.6"]
    assert stored.read_bytes() == first
    assert checkpoints.read_manifest()["small"]["scores"] == {"score": 0.9}
    checkpoints.build("small", replace=True)
    assert stored.read_bytes() != first
    assert checkpoints.read_manifest()["small"]["scores"] == {"score": 0.6}
