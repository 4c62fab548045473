"""One query and a few keys that can be dragged over a plane: scores, weights, output follow."""

import html
import math
from collections.abc import Sequence

import torch
import traitlets

from course_lib.figures.colours import ROLES, weight_colour
from course_lib.validation import traits
from course_lib.validation.labels import checked_tokens
from course_lib.validation.maps import finite_floats
from course_lib.widgets.course_widget import CourseWidget, javascript
from course_lib.widgets.picture import image, weights_table

MOST_KEYS = 12
LARGEST = 1e6  # the plane is drawn from -1.3 to 1.3 of the largest number


class SoftLookup(CourseWidget):
    """Drag a query between the keys, or the keys themselves, and watch what it finds.

    The score of a key is its dot product with the query, without any scale; the weights are the
    softmax of scores / temperature; the output is the keys' weighted average. The traits
    ``query``, ``points`` (where the keys are) and ``temperature`` follow what is dragged and can
    be set.

    Args:
        keys: (n, 2) of a floating dtype, 1 to 12 of them.
        names: one for each key.
        query: where the query is at first: two numbers.
        temperature: above 0.
        axes: the names of the two directions.

    Raises:
        TypeError: keys are not floating; names or axes are not texts.
        ValueError: shapes or lengths that do not fit, NaN or numbers beyond a million.
        TraitError: a query that is not two finite numbers, a temperature that is not above 0.
    """

    _esm = javascript("soft_lookup")
    query: traitlets.List = traits.Point().tag(sync=True, page=True)
    points: traitlets.List = traits.Row().tag(sync=True, page=True)
    temperature = traits.Temperature(1.0).tag(sync=True, page=True)

    def __init__(
        self,
        keys,
        names: Sequence[str],
        *,
        query: Sequence[float] = (1.0, 0.0),
        temperature: float = 1.0,
        axes: tuple[str, str] = ("x", "y"),
    ):
        points = finite_floats("keys", keys, LARGEST)
        if points.dim() != 2 or points.shape[1] != 2:
            raise ValueError(f"keys must have shape (n, 2), got {tuple(points.shape)}")
        self._names = checked_tokens("names", names, MOST_KEYS)
        count = len(self._names)
        if len(points) != count:
            raise ValueError(
                f"names must hold one text for each of {len(points)} keys, got {count}"
            )
        directions = checked_tokens("axes", axes, 2)
        if len(directions) != 2:
            raise ValueError(f"axes must hold the names of two directions, got {directions}")
        super().__init__(
            _data={"names": self._names, "axes": directions},
            query=query,
            points=points.tolist(),
            temperature=temperature,
        )

    @property
    def weights(self) -> torch.Tensor:
        """The weights (n,) of the keys, float64."""
        query = torch.tensor(self.query, dtype=torch.float64)
        return torch.softmax(self._keys @ query / self.temperature, dim=-1)

    @property
    def _keys(self) -> torch.Tensor:
        """The keys (n, 2) as they are now, float64."""
        return torch.tensor(self.points, dtype=torch.float64)

    @property
    def output(self) -> torch.Tensor:
        """The weighted average (2,) of the keys."""
        return self.weights @ self._keys

    def describe(self) -> str:
        return f"SoftLookup({len(self._names)} keys)"

    def still(self, picture: bool = True) -> str:
        weights = self.weights.numpy()
        x, y = self.query
        table = weights_table(weights, weights >= 0, self._names, f"query ({x:.2f}, {y:.2f})")
        return (self._drawing(weights) if picture else "") + table

    def _drawing(self, weights) -> str:
        """The plane with its keys and the query as an <img>."""
        reach = 1.3 * max(1.0, self._keys.abs().max().item())
        size = reach / 100
        shapes = [
            f'<path d="M{-reach:.3f} 0H{reach:.3f}M0 {-reach:.3f}V{reach:.3f}" stroke="#999" '
            f'stroke-width="{size:.3f}"/>'
        ]
        font = f'font-size="{8 * size:.3f}" font-family="sans-serif"'

        def write(text: str, x: float, y: float, anchor: str = "middle") -> str:
            place = f'x="{x:.3f}" y="{y:.3f}" text-anchor="{anchor}"'
            return f"<text {place} {font}>{html.escape(text)}</text>"

        def point(name: str, place: list[float], radius: float, role: str, fill: str = "") -> str:
            x, y = place
            # The output lies among the others, so its name is below it.
            label = write(name, x, -y + (13 if role == "output" else -9) * size)
            circle = f'cx="{x:.3f}" cy="{-y:.3f}" r="{radius * size:.3f}"'
            stroke = f'stroke="{ROLES[role]}" stroke-width="{size:.3f}"'
            return f'<circle {circle} fill="{fill or ROLES[role]}" {stroke}/>{label}'

        first, second = self._data["axes"]
        shapes.append(write(f"{first} →", reach - 2 * size, 9 * size, "end"))
        shapes.append(write(f"↑ {second}", 2 * size, -reach + 8 * size, "start"))
        for name, key, weight in zip(self._names, self.points, weights, strict=True):
            radius = 3 + 5 * math.sqrt(weight)
            shapes.append(point(name, key, radius, "key", weight_colour(min(float(weight), 1.0))))
        shapes.append(point("output", self.output.tolist(), 4, "output"))
        shapes.append(point("query", self.query, 4, "query"))
        box = f"{-reach:.3f} {-reach:.3f} {2 * reach:.3f} {2 * reach:.3f}"
        svg = (
            '<svg xmlns="http://www.w3.org/2000/svg" width="360" height="360" '
            f'style="background: #fff" viewBox="{box}">{"".join(shapes)}</svg>'
        )
        alt = "Keys, a query and its output in a plane; larger, darker keys have more weight"
        return image(svg, alt)

    @traitlets.validate("query")
    def _check_query(self, proposal):
        if max(map(abs, proposal["value"])) > LARGEST:
            raise traitlets.TraitError(f"query must lie within 1e6, got {proposal['value']}")
        return proposal["value"]

    @traitlets.validate("points")
    def _check_points(self, proposal):
        count = len(self._names)
        try:
            points = finite_floats("points", proposal["value"], LARGEST)
        except (TypeError, ValueError) as error:
            raise traitlets.TraitError(str(error)) from error
        if tuple(points.shape) != (count, 2):
            raise traits.refusal("points", f"{count} pairs of two numbers", proposal["value"])
        return points.tolist()
