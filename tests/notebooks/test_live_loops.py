"""The six loops of lesson 09, exercise 6, show the symptoms that the exercise tells of."""

import pytest
import torch

from course_checks.exercises.encoder_decoder.broken_loops import broken_loops
from course_lib.data.live_loops import FAULTS, record_of_training, train_six


def test_each_loop_is_named_by_its_symptoms():
    torch.set_num_threads(1)
    state = torch.get_rng_state()
    records = train_six()
    assert broken_loops(list(records.values())) == [2, 5, 0, 4, 1, 3]
    assert torch.equal(torch.get_rng_state(), state)
    check_by_what_they_learn(records["C"], records["D"])


def check_by_what_they_learn(sound, unread):
    assert sound["later"] < 1e-4 < sound["source"] and sound["free"] > 0.9
    assert unread["forced"] < 0.7


@pytest.mark.nightly
def test_so_are_those_with_another_seed_that_are_told_by_what_they_learn():
    """The others have symptoms before they learn anything, whatever the numbers."""
    torch.set_num_threads(1)
    sound, unread, forced = (record_of_training(1, **FAULTS[number]) for number in (0, 4, 5))
    assert broken_loops([sound, unread, forced]) == [0, 4, 5]
    check_by_what_they_learn(sound, unread)
