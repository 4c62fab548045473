"""The six loops of lesson 09, exercise 6, show the symptoms that the exercise tells of."""

import pytest
import torch

from course_lib.checks.encoder_decoder.broken_loops import broken_loops
from course_lib.data.live_loops import train_six


@pytest.mark.parametrize("seed", [0, 1])
def test_each_loop_is_named_by_its_symptoms(seed):
    torch.set_num_threads(1)
    state = torch.get_rng_state()
    records = train_six(seed)
    assert broken_loops(list(records.values())) == [2, 5, 0, 4, 1, 3]
    assert torch.equal(torch.get_rng_state(), state)
    sound, unread = records["C"], records["D"]
    assert sound["later"] < 1e-4 < sound["source"] and sound["free"] > 0.9
    assert unread["forced"] < 0.7
