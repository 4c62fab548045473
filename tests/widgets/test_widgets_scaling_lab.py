"""ScalingLab without a browser."""

import pytest
import torch

from course_lib.widgets import ScalingLab


def test_numbers_are_those_of_a_softmax():
    lab = ScalingLab()
    lab.d_k, lab.scaled = 32, False
    unscaled = lab.scores
    lab.scaled = True
    torch.testing.assert_close(lab.scores, unscaled / 32**0.5)
    weights = torch.softmax(lab.scores, dim=-1)
    torch.testing.assert_close(lab.weights, weights)
    assert lab.entropy == pytest.approx(torch.special.entr(weights).sum().item())
    jacobian = torch.func.jacrev(lambda scores: torch.softmax(scores, dim=-1))(lab.scores)
    assert lab.slope == pytest.approx(jacobian.norm().item())


def test_scores_have_the_variance_that_the_argument_gives():
    lab = ScalingLab(n_keys=32)
    lab.scaled = False
    for d_k in (1, 16, 512):
        lab.d_k = d_k
        scores = []
        for draw in range(101):
            lab.draw = draw
            scores.append(lab.scores)
        # 3232 scores; those of one query go together, so their variance is known within 20%.
        assert torch.stack(scores).pow(2).mean().item() == pytest.approx(d_k, rel=0.4)
