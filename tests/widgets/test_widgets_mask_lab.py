"""MaskLab without a browser."""

import pytest
import torch

from course_lib.widgets import MaskLab

TOKENS = ["The", "bank", "by", "the", "river", "approved", "<pad>", "<pad>"]
i, j = torch.arange(8)[:, None], torch.arange(8)  # query, key


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("no mask", i + j >= 0),
        ("causal", j <= i),
        ("padding", (j < 6).expand(8, 8)),
        ("causal and padding", (j <= i) & (j < 6)),
        ("sliding window", (j <= i) & (i - j < 3)),
    ],
)
def test_presets(preset, expected):
    assert torch.equal(MaskLab(TOKENS, preset).mask, expected)


def test_the_future_leaks_exactly_where_the_mask_lets_it():
    for seed in range(20):
        mask = torch.rand(8, 8, generator=torch.Generator().manual_seed(seed)) < 0.4
        mask |= torch.eye(8, dtype=torch.bool)
        lab = MaskLab(TOKENS, changed=seed % 8)
        lab.allowed = mask.tolist()
        # Output q moves when q may look at the changed token, or is the changed token itself. A
        # row with one key only ever returns that key's value.
        expected = mask[:, lab.changed].clone()
        if mask[lab.changed].sum() > 1:
            expected[lab.changed] = True
        assert torch.equal(lab.moves, expected)
        # Every query is tested, whichever token is the changed one.
        assert lab.leaks == [tuple(pair) for pair in (mask & (j > i)).nonzero().tolist()]
