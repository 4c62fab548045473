"""The modules whose shapes are traced."""

from torch import nn, tanh

from course_checks.exercise import Case, randn
from course_lib.attention.single_head import SingleHead


class _Branches(nn.Module):
    """Called in another order than defined; one part twice, one never, one that has parts."""

    def __init__(self, d_model):
        super().__init__()
        self.last = nn.Linear(2, 3)
        self.never = nn.Linear(d_model, d_model)
        self.twice = nn.Linear(d_model, d_model)
        self.head = SingleHead(d_model, 2)

    def forward(self, x):
        return self.last(self.head(self.twice(tanh(self.twice(x))))[0])


class Kept(nn.Sequential):
    """Its copy is itself, so that what a function leaves behind can be seen on it."""

    def __deepcopy__(self, memo):
        return self


class Raises(nn.Module):
    def forward(self, x):
        raise ValueError("this layer always fails")


def chains(generator):
    two = nn.Sequential(nn.Linear(4, 2), nn.Tanh())
    nested = nn.Sequential(nn.Linear(4, 6), nn.Sequential(nn.ReLU(), nn.Linear(6, 5)))
    return [
        Case((two, randn(generator, 3, 4)), None, "a Sequential of two layers"),
        Case((nested, randn(generator, 2, 3, 4)), None, "a Sequential with another one in it"),
    ]


def a_head(generator):
    words = "a SingleHead, which returns the tuple (output, weights)"
    return [Case((SingleHead(4, 2), randn(generator, 2, 3, 4)), None, words)]


def branches(generator):
    words = "a module that calls its parts in another order than it defines them"
    shared = nn.Linear(4, 4)
    tied = nn.Sequential(shared, nn.Tanh(), shared)
    return [
        Case((_Branches(4), randn(generator, 2, 3, 4)), None, words),
        Case((tied, randn(generator, 2, 4)), None, "a Sequential in which one layer stands twice"),
    ]
