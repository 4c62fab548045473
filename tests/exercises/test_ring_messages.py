"""What is said of a wrong answer: enough to compute it again, and nothing that leads astray."""

import re

import pytest
import torch

import course_checks as checks


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+\.\d+", text)]


@pytest.mark.parametrize("seed", range(6))
def test_the_smallest_ring_can_be_computed_again_from_what_is_shown(seed):
    def ring_output(query, keys, values, rank, is_causal):
        return values[rank] + 3.0

    shown = str(checks.ring_output(ring_output, seed=seed))
    label = re.search(r"device 0 of 2, 1 token each, keys (.*), values (.*)\.", shown)
    keys, values = (torch.tensor(numbers(text)).view(2, -1) for text in label.groups())
    query = torch.tensor(numbers(shown.split("input query")[1].split("\n")[1]))
    weights = (keys @ query / 2**0.5).softmax(0)
    want, got = numbers(shown.split("yours\n")[1].split("\n")[0])
    assert want == pytest.approx(float(weights @ values), abs=0.01)
    assert got == pytest.approx(float(values[0]) + 3.0, abs=0.01)


def test_key_heads_need_not_know_how_many_query_heads_there_are():
    """The smaller of the two other numbers divides the larger: the right closed form needs none."""

    def beside(rank, num_devices, num_heads, num_kv_heads):
        return [rank * num_kv_heads // num_devices + 1, 1, 1]

    def alone(rank, num_devices, num_heads, num_kv_heads):
        return [rank + 1, num_devices, 1]

    texts = [str(checks.key_heads_of(function, seed=0)) for function in (beside, alone)]
    assert "never uses" not in texts[0]
    assert "never uses what it gets as num_kv_heads." in texts[1]


def test_one_of_a_thing_is_not_called_several():
    texts = [
        str(checks.ALL[name](lambda *args: args[0] * 0 + 1, seed=0))
        for name in ("part_of_device", "ring_output")
    ]
    assert "1 head of" in texts[0] and "1 token each" in texts[1]
