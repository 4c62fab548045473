"""ScalingLab without a browser."""

import pytest
import torch
from traitlets import TraitError

from course_lib.widgets import ScalingLab


def test_numbers_are_those_of_a_softmax():
    lab = ScalingLab(seed=3, d_k=32, scaled=False)
    unscaled = lab.scores
    lab.scaled = True
    torch.testing.assert_close(lab.scores, unscaled / 32**0.5)
    weights = torch.softmax(lab.scores, dim=-1)
    torch.testing.assert_close(lab.weights, weights)
    assert lab.entropy == pytest.approx(torch.special.entr(weights).sum().item())
    jacobian = torch.func.jacrev(lambda scores: torch.softmax(scores, dim=-1))(lab.scores)
    assert lab.slope == pytest.approx(jacobian.norm().item())


def test_scores_have_the_variance_that_the_argument_gives():
    lab = ScalingLab(n_keys=32, seed=5, scaled=False)
    for d_k in (1, 16, 512):
        lab.d_k = d_k
        scores = []
        for draw in range(101):
            lab.draw = draw
            scores.append(lab.scores)
        # 3232 scores; those of one query go together, so their variance is known within 20%.
        assert torch.stack(scores).pow(2).mean().item() == pytest.approx(d_k, rel=0.4)


@pytest.mark.parametrize(
    ("error", "words", "arguments"),
    [
        (ValueError, "n_keys must be from 2 to 32, got 33", {"n_keys": 33}),
        (ValueError, "n_keys must be at least 1, got 0", {"n_keys": 0}),
        (TypeError, "n_keys must be an integer", {"n_keys": 2.5}),
        (ValueError, "d_k_max must be a power of 2 up to 4096, got 100", {"d_k_max": 100}),
        (ValueError, "d_k_max must be a power of 2", {"d_k_max": 8192}),
        (TraitError, "d_k must be a power of 2 up to 512, got 48", {"d_k": 48}),
    ],
)
def test_bad_input_is_named(error, words, arguments):
    with pytest.raises(error, match=words):
        ScalingLab(**arguments)


def test_a_refused_draw_leaves_the_old_one():
    lab = ScalingLab()
    with pytest.raises(TraitError, match="draw must be from 0 to 100, got 101"):
        lab.draw = 101
    assert lab.draw == 0


def test_stored_output_is_the_same_in_every_run():
    first, second = ScalingLab(), ScalingLab()
    assert first.still() == second.still()
    assert first.describe() == "ScalingLab(8 keys, d_k up to 512)"
