"""A drawing that answers: point at a number, and it says which numbers it is made of."""

import base64

import traitlets

from course_lib.figures.drawings import Drawing
from course_lib.validation import traits
from course_lib.widgets.course_widget import CourseWidget, javascript


class LiveDrawing(CourseWidget):
    """Point at a number of a drawing: what it is made of is framed, and the sum is written out.

    A number of the output shows lines from the values, as thick as the weights. Steps uncover the
    parts one by one. The traits ``step`` (0 to the number of parts - 1) and ``at`` (the name of a
    tensor, row and column) follow what is clicked and can be set.

    Args:
        drawing: one that knows how its numbers are made: ``single_head()``,
            ``heads_in_one_matrix()``, ``causal_head()`` or ``transformer_block()``.
        at: what is pointed at first: the name of a tensor, row and column. () is nothing. The
            drawing opens at the step of its ``lit``, else of this number, else at the last; what
            comes behind is still covered.

    Raises:
        TypeError: drawing is none.
        ValueError: it does not know how its numbers are made.
        TraitError: a step or a number that is not there.
    """

    _esm = javascript("live_drawing")
    _picture = traitlets.Unicode().tag(sync=True, page=True)  # SVG as base64
    step = traits.WholeNumber(0).tag(sync=True, page=True)
    at: traitlets.List = traits.Row().tag(sync=True, page=True)

    def __init__(self, drawing: Drawing, *, at: tuple[str, int, int] | tuple[()] = ()):
        if not isinstance(drawing, Drawing):
            raise TypeError(f"drawing must be a Drawing, got {type(drawing).__name__} {drawing!r}")
        if drawing.live is None:
            raise ValueError(
                "drawing must know how its numbers are made, as single_head() does; got "
                f"{drawing.title!r}"
            )
        self._drawing = drawing
        known = dict(drawing.live)
        lit = known.pop("step")
        self._steps, self._tensors = known["steps"], known["tensors"]
        data = {"title": drawing.title, "known": known}
        picture = base64.b64encode(drawing.svg.encode()).decode()
        super().__init__(_data=data, _picture=picture, at=at)
        first = self._steps.index(self._tensors[at[0]]["part"]) if at else len(self._steps) - 1
        self.step = first if lit is None else lit

    def describe(self) -> str:
        return f"LiveDrawing({self._drawing.title})"

    def still(self, picture: bool = True) -> str:
        """The drawing as it is, on a page too."""
        return self._drawing._repr_html_()

    @traitlets.validate("step")
    def _check_step(self, proposal):
        return traits.in_range("step", proposal["value"], len(self._steps))

    @traitlets.validate("at")
    def _check_at(self, proposal):
        at = list(proposal["value"])
        drawn = [name for name, tensor in self._tensors.items() if "part" in tensor]
        expected = f"() or (name, row, column), with a name of {', '.join(drawn)}"
        if at and (len(at) != 3 or at[0] not in drawn):
            raise traits.refusal("at", expected, proposal["value"])
        if at:
            rows = self._tensors[at[0]]["numbers"]
            for place, count, number in (("row", len(rows), 1), ("column", len(rows[0]), 2)):
                whole = traits.whole_number(f"at, {place},", at[number])
                at[number] = traits.in_range(f"at, {place},", whole, count)
        return at
