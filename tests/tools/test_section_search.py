"""What the search of the site looks through is what people type."""

import pytest

from tools.site.section_search import plain_formula


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
