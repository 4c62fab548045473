"""Why scores are divided by sqrt(d_k): turn d_k up and watch weights and slopes."""

import base64

import torch
import traitlets

from course_lib.study.heads import attention_entropy
from course_lib.validation import traits
from course_lib.validation.layer_inputs import check_positive
from course_lib.widgets.course_widget import CourseWidget, javascript
from course_lib.widgets.picture import maps_image, weights_table

DRAWS = 101  # queries, each with its own keys


class ScalingLab(CourseWidget):
    """One random query and its keys, at every size of the head.

    All numbers of queries and keys are independent, with mean 0 and variance 1 (Vaswani et al.
    2017, footnote 4). The size of the slope is the Frobenius norm of the softmax's Jacobian. The
    traits ``d_k`` (a power of 2), ``scaled`` and ``draw`` follow what is clicked and can be set.

    Args:
        n_keys: 2 to 32 keys.
        d_k_max: the largest d_k, a power of 2 up to 4096.

    Raises:
        TypeError, ValueError: a size that is no integer in its range.
        TraitError: d_k is no power of 2 up to ``d_k_max``, or draw is not from 0 to 100.
    """

    _esm = javascript("scaling_lab")
    d_k = traits.WholeNumber(1).tag(sync=True, page=True)
    scaled = traits.YesNo(True).tag(sync=True, page=True)
    draw = traits.WholeNumber(0).tag(sync=True, page=True)

    def __init__(self, n_keys: int = 8, d_k_max: int = 512):
        check_positive(n_keys=n_keys, d_k_max=d_k_max)
        if not 2 <= n_keys <= 32:
            raise ValueError(f"n_keys must be from 2 to 32, got {n_keys}")
        if d_k_max > 4096 or d_k_max & (d_k_max - 1):
            raise ValueError(f"d_k_max must be a power of 2 up to 4096, got {d_k_max}")
        self._sizes = [2**i for i in range(d_k_max.bit_length())]
        generator = torch.Generator().manual_seed(0)
        query = torch.randn(DRAWS, 1, d_k_max, generator=generator)
        key = torch.randn(DRAWS, n_keys, d_k_max, generator=generator)
        # The score at d_k is the sum of the first d_k products.
        sums = (query * key).double().cumsum(dim=-1)  # (draws, n_keys, d_k_max)
        ends = torch.tensor(self._sizes) - 1
        self._scores = sums[..., ends].movedim(-1, 0).float().double()  # (sizes, draws, n_keys)
        packed = base64.b64encode(self._scores.numpy().astype("<f4").tobytes()).decode()
        super().__init__(
            _data={"sizes": self._sizes, "draws": DRAWS, "n_keys": n_keys, "scores": packed},
            d_k=min(64, d_k_max),
        )

    @property
    def scores(self) -> torch.Tensor:
        """The scores (n_keys,) as they go into the softmax, float64."""
        scores = self._scores[self._sizes.index(self.d_k), self.draw]
        return scores / self.d_k**0.5 if self.scaled else scores

    @property
    def weights(self) -> torch.Tensor:
        """The weights (n_keys,), float64."""
        return torch.softmax(self.scores, dim=-1)

    @property
    def entropy(self) -> float:
        """The weights' entropy in nats."""
        return attention_entropy(self.weights).item()

    @property
    def slope(self) -> float:
        """The Frobenius norm of the Jacobian of the weights by the scores."""
        weights = self.weights
        return (torch.diag(weights) - torch.outer(weights, weights)).norm().item()

    def describe(self) -> str:
        return f"ScalingLab({self._scores.shape[-1]} keys, d_k up to {self._sizes[-1]})"

    def still(self, picture: bool = True) -> str:
        weights = self.weights.numpy()
        names = [f"key {key}" for key in range(len(weights))]
        caption = f"d_k {self.d_k}, {'scaled' if self.scaled else 'not scaled'}"
        table = weights_table(weights, weights >= 0, names, caption)
        row = weights[None, None, None]  # one layer, one head, one query
        return maps_image(row, row >= 0, [f"d_k {self.d_k}"], names) + table if picture else table

    @traitlets.validate("d_k")
    def _check_d_k(self, proposal):
        if proposal["value"] not in self._sizes:
            raise traits.refusal("d_k", f"a power of 2 up to {self._sizes[-1]}", proposal["value"])
        return proposal["value"]

    @traitlets.validate("draw")
    def _check_draw(self, proposal):
        return traits.in_range("draw", proposal["value"], DRAWS)
