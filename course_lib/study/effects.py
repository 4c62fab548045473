"""What every head of a model is worth for one measurement, beside the other heads of its layer.

One number for one head says little: without any head of an early layer the loss may rise. The
control is one other head of the layer by chance. All of these have been measured too, so their
mean, lowest and highest are exact.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import torch
from torch import nn

from course_lib.study.ablation import Head, heads_off
from course_lib.study.head_places import layers_of
from course_lib.validation.layer_inputs import check_flags


@dataclass(frozen=True)
class HeadEffects:
    """What ``head_effects`` measured. As text, a table of the ten heads that change most.

    Attributes:
        before: the measurement with all heads on.
        effects: for each head (layer, head), how much the measurement is higher without it.
    """

    before: float
    effects: dict[Head, float]

    def rows(self) -> list[dict[str, float]]:
        """Return the table, what changes most first: ``pandas.DataFrame(effects.rows())``.

        Each row has the "layer", the "head", its "effect", and of the other heads of its layer
        "others", the mean effect, "lowest" and "highest"; NaN where a layer has no other head.
        """
        rows: list[dict[str, float]] = []
        for (layer, head), effect in sorted(self.effects.items(), key=lambda entry: -abs(entry[1])):
            same_layer = {pair: other for pair, other in self.effects.items() if pair[0] == layer}
            del same_layer[layer, head]
            others = list(same_layer.values()) or [float("nan")]
            row = {"layer": layer, "head": head, "effect": effect}
            row |= {"others": sum(others) / len(others)}
            rows.append(row | {"lowest": min(others), "highest": max(others)})
        return rows

    def __str__(self) -> str:
        lines = [
            f"{self.before:.4g} with all heads. Without one, beside any other of its layer",
            f"{'head':>8}{'change':>11}{'others':>11}{'lowest':>11}{'highest':>11}",
        ]
        for row in self.rows()[:10]:
            numbers = (row[name] for name in ("effect", "others", "lowest", "highest"))
            name = f"{row['layer']}.{row['head']}"
            lines.append(f"{name:>8}" + "".join(f"{number:>+11.3g}" for number in numbers))
        return "\n".join(lines)


def head_effects(
    model: nn.Module,
    measure: Callable[[], float],
    *,
    layers: Iterable[int] | None = None,
    kind: str | None = None,
    progress: bool = True,
) -> HeadEffects:
    """Measure a model without each of its heads in turn.

        loss = lambda: model(**inputs, labels=inputs["input_ids"]).loss.item()
        paris = lambda: model(**inputs).logits[0, -1].softmax(dim=-1)[token].item()
        print(head_effects(model, paris))

    The head at the top was chosen for standing there, so measure it again on other texts. For
    several heads at once, draw the control with ``ablation.others_like``.

    Args:
        model: in eval mode, ours or transformers'.
        measure: runs the model, and returns one number. It is called once more than there are
            heads, without gradients.
        layers: those whose heads are measured, or None for all.
        kind: as in ``heads_off``.
        progress: whether a bar is shown.

    Raises:
        TypeError: ``measure`` returns something else.
        ValueError: the model is in training mode, where dropout would change the number, has no
            such layer, or cannot be cut, see ``heads_off``.
    """
    from tqdm.auto import tqdm

    check_flags(progress=progress)
    if model.training:
        raise ValueError("model must be in eval mode, call model.eval() first")
    known = layers_of(model, kind)
    wanted = list(known) if layers is None else list(layers)
    if not set(wanted) <= set(known):
        raise ValueError(f"layers must be among {list(known)}, got {wanted}")
    heads = [(layer, head) for layer in wanted for head in range(known[layer].num_heads)]
    effects = {}

    def measured() -> float:
        given = measure()
        if getattr(given, "ndim", 0) or not hasattr(given, "__float__"):
            got = getattr(given, "shape", type(given).__name__)
            raise TypeError(f"measure must return one number, got {got}")
        return float(given)

    with torch.no_grad():
        before = measured()
        for head in tqdm(heads, desc="heads", disable=not progress, leave=False):
            with heads_off(model, [head], kind=kind):
                effects[head] = measured() - before
    return HeadEffects(before, effects)
