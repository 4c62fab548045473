"""The nightly workflow runs the slow tests, and tries every topic, with other seeds each night."""

import yaml

from tools.checks.exercise_sources import TOPICS
from tools.notebooks.notebook_files import ROOT


def test_every_topic_is_tried_with_both_torches_and_with_new_seeds():
    text = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(text)["jobs"]
    assert jobs["slow-tests"]["steps"][-1]["run"].startswith("make test-nightly ")
    job = jobs["deep"]
    matrix = job["strategy"]["matrix"]
    assert sorted(matrix["topic"]) == sorted(TOPICS)
    assert matrix["torch"] == ["pinned", "newest"]
    (run,) = [step["run"] for step in job["steps"] if step.get("run", "").startswith("make deep")]
    assert run.endswith("SEEDS=50 START=$((50 * GITHUB_RUN_NUMBER))")
