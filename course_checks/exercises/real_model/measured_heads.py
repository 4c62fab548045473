"""What a score gives for a head of SmolLM2, and for what that head may be mistaken for."""

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import torch

from course_checks.score_cases import causal
from course_lib.data.recorded import load_maps

Text = tuple[list[str], torch.Tensor]  # pieces, and weights (num_layers, num_heads, length, length)


@cache
def texts(kept_aside: bool) -> list[Text]:
    return list(load_maps(kept_aside=kept_aside).values())


class Measured:
    """What a score gives for a head, for its control, and for whatever they are mistaken for."""

    def __init__(self, score: Callable, layer: int, head: int) -> None:
        self.score, self.layer, self.head = score, layer, head
        self.num_layers, self.num_heads = texts(kept_aside=False)[0][1].shape[:2]
        self.one_by_one = cache(self._one_by_one)

    def value(self, weights: torch.Tensor, pieces: list[str]) -> Any:
        """What the score returns, on copies that it may change."""
        return self.score(weights.clone(), list(pieces))

    def _one_by_one(self, layer: int, head: int, kept_aside: bool) -> list[float]:
        return [
            float(self.value(weights[layer, head], pieces)) for pieces, weights in texts(kept_aside)
        ]

    def mean(self, layer: int, head: int, kept_aside: bool = False) -> float:
        return _mean(self.one_by_one(layer, head, kept_aside))

    def found(self, kept_aside: bool = False) -> float:
        return self.mean(self.layer, self.head, kept_aside)

    def others(self, kept_aside: bool = False) -> list[float]:
        """One number for each of the other heads of the layer."""
        heads = (head for head in range(self.num_heads) if head != self.head)
        return [self.mean(self.layer, head, kept_aside) for head in heads]

    def control(self, kept_aside: bool = False) -> float:
        return _mean(self.others(kept_aside))

    def with_itself(self) -> float:
        return _mean([*self.others(), self.found()])

    def of_equal_weights(self) -> float:
        """What a head would score that looks at all keys alike."""
        values = []
        for pieces, _ in texts(kept_aside=False):
            allowed = causal(len(pieces)).float()
            values.append(float(self.value(allowed / allowed.sum(dim=-1, keepdim=True), pieces)))
        return _mean(values)

    def of_the_model(self) -> float:
        """The mean over all other heads of all layers."""
        heads = product(range(self.num_layers), range(self.num_heads))
        return _mean([self.mean(*head) for head in heads if head != (self.layer, self.head)])

    def near_heads(self) -> list[tuple[int, int]]:
        """Heads that it may be confused with: of its layer or the next ones, or turned round."""
        layers = range(max(0, self.layer - 1), min(self.num_layers, self.layer + 2))
        near = [*product(layers, range(self.num_heads))]
        near += [(self.head, self.layer)] if self.layer < self.num_heads else []
        return [head for head in near if head != (self.layer, self.head)]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
