"""ReshapeStepper without a browser."""

from course_lib.widgets import ReshapeStepper


def test_only_the_right_way_gives_each_head_its_own_features():
    stepper = ReshapeStepper(3, 2, 4, step=2)
    for head, numbers in enumerate(stepper.order()):
        assert set((numbers % 8 // 4).flatten().tolist()) == {head}
    assert len(set((stepper.order(wrong=True)[0] % 8 // 4).flatten().tolist())) == 2
    for wrong in (False, True):
        assert sorted(stepper.order(wrong).flatten().tolist()) == list(range(24))
