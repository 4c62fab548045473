"""The shipped models: they load without pickle, and measure what manifest.json says."""

import hashlib
import json

import pytest
import torch

from course_lib.data.checkpoints import load_checkpoint, manifest
from refusals import refuses
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
    refuses(ValueError, "name must be one of .*got 'none'", load_checkpoint, "none")


def test_another_file_under_the_name_is_refused(tmp_path, monkeypatch):
    name = next(iter(CHECKPOINTS))
    content = bytearray((FOLDER / f"{name}.safetensors").read_bytes())
    content[-1] ^= 1
    (tmp_path / f"{name}.safetensors").write_bytes(content)
    (tmp_path / "manifest.json").write_text(json.dumps(manifest()))
    monkeypatch.setattr("course_lib.data.checkpoints.files", lambda _: tmp_path)
    refuses(ValueError, "is not the file that manifest.json describes", load_checkpoint, name)
