"""What the search of the site looks through is what people type."""

from pathlib import Path

import pytest

from tools.site.section_search import FOLDS, plain_formula, sections_of


@pytest.mark.parametrize(
    "tex, typed",
    [
        (r"\(f(Px) = P f(x)\)", "f(Px) = P f(x)"),
        (r"\(\frac{1}{\sqrt{d_k}}\)", "1/sqrt(d_k)"),
        (r"\[QK^\top / \sqrt{d_k}\]", "QKᵀ / sqrt(d_k)"),
        (r"\(\color{#123456}{q}_i\)", "q_i"),
    ],
)
def test_a_formula_is_found_as_one_types_it(tex, typed):
    assert plain_formula(tex) == typed


def test_the_name_of_a_fold_is_not_found_and_that_of_a_hint_is():
    kinds = [*FOLDS.replace(".", "").split(", "), "of-a-hint"]
    folds = [f'<details class="{kind}"><summary>{kind}</summary>in</details>' for kind in kinds]
    page = f'<div class="bd-article"><section id="a"><h1>A</h1>{"".join(folds)}</section></div>'
    (section,) = sections_of(Path("notebooks/a.html"), page, ())
    assert section["text"] == "in " * len(kinds[:-1]) + "of-a-hint in"
