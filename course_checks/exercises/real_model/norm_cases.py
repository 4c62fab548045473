"""Tokens to be normalised: of several sizes and shapes, small ones, and some of zeros."""

from torch import float32, rand, zeros

from course_checks.exercise import Case, randn


def cases(*shapes, spread=1.0, eps=1e-5, plain=False, dtype=float32):
    """Tokens of this spread, each with a mean of its own; ``plain``: the weight is 1."""

    def make(generator):
        made = []
        for shape in shapes:
            x = spread * (randn(generator, *shape) + randn(generator, *shape[:-1], 1))
            weight = 0.5 + rand(shape[-1], generator=generator)
            weight = weight**0 if plain else weight
            made.append(Case((x.to(dtype), weight.to(dtype), eps)))
        return made

    return make


def small(generator):
    """Where eps counts: tokens that are small, an eps that is large, tokens of zeros."""
    made = cases((2, 4), spread=0.003)(generator)
    made += cases((3, 5), eps=0.5)(generator) + cases((2, 4), spread=0.1, eps=0.5)(generator)
    weight, eps = cases((2, 3))(generator)[0].args[1:]
    return [*made, Case((zeros(2, 3), weight, eps))]
