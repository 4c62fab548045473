"""Lesson 17, exercise 4: guesses are accepted or replaced so that the distribution stays."""

import torch

from course_checks.exercise import Case, Exercise, Property, randn


def accept_or_draw(target, draft, guesses, uniforms):
    at = guesses[:, None]
    accept = (target.gather(1, at) / draft.gather(1, at))[:, 0].clamp(max=1)
    left = (target - draft).clamp(min=0)
    left = left / left.sum(dim=1, keepdim=True)
    drawn = (left.cumsum(dim=1) <= uniforms[:, 1:]).sum(dim=1)
    token = torch.where(uniforms[:, 0] < accept, guesses, drawn)
    return accept, left, token


MISTAKES = """
always_accepted: .clamp(max=1) -> .clamp(min=1, max=1)
    You accept every guess. The tokens then come as often as the draft says, and not as the model
    says.
turned_round: target.gather(1, at) / draft.gather(1, at) -> \
        draft.gather(1, at) / target.gather(1, at)
    You divide the draft by the target. What the draft guesses too often must be refused sometimes:
    target over draft.
by_target_alone: / draft.gather(1, at) ->
    You accept a guess with the target's probability alone. The draft has already drawn it with its
    own: divide by that.
no_larger_than_1: .clamp(max=1) ->
    Your chance of acceptance grows above 1. Where the target gives more than the draft, the guess
    is always accepted: the chance is 1.
likelier_only: .clamp(max=1) -> .ge(1).to(target.dtype)
    You accept a guess only where the target gives it at least what the draft gives it, and else
    never. It stands with the chance target over draft.
drawn_from_target: (target - draft).clamp(min=0) -> target + 0 * draft
    You replace a refused guess by a draw from the target. What the draft gives has come already,
    when its guesses were accepted: draw from what is left, target - draft where that is positive.
without_the_guess: (target - draft).clamp(min=0) -> target.scatter(1, at, 0.0)
    You draw from the target without the guess. The other tokens have come too, by guesses that were
    accepted: draw from target - draft where that is positive.
drawn_from_draft: (target - draft).clamp(min=0) -> draft + 0 * target
    You replace a refused guess by a second draw from the draft. Draw from what is left of the
    target, target - draft where that is positive.
what_is_too_much: (target - draft) -> (draft - target)
    You draw from draft - target: that is what the draft gives too often. Draw from target - draft.
both_sides: (target - draft).clamp(min=0) -> (target - draft).abs()
    You take the size of the difference. Where the draft gives more than the target, nothing is
    left: take 0 there.
not_divided: left = left / left.sum(dim=1, keepdim=True) ->
or: left = left / left.sum(dim=1, keepdim=True) -> && (left.cumsum(dim=1) <= uniforms[:, 1:]) -> \
        ((left / left.sum(dim=1, keepdim=True)).cumsum(dim=1) <= uniforms[:, 1:])
    What is left does not sum to 1 yet. Divide each row by its sum.
divided_by_all: left.sum(dim=1, keepdim=True) -> left.sum()
    You divide by the sum over all rows. Each row has its own.
softmax_of_it: left = left / left.sum(dim=1, keepdim=True) -> \
        left = torch.softmax(target - draft, dim=1) || left = torch.softmax(left, dim=1)
    You take a softmax of what is left. These are probabilities already, and where nothing is left,
    0 must stay 0: divide by the sum.
likeliest: (left.cumsum(dim=1) <= uniforms[:, 1:]).sum(dim=1) -> left.argmax(dim=1)
    You take the likeliest token of what is left. It is to be drawn, with the second uniform number.
one_number_for_both: uniforms[:, 1:] -> uniforms[:, :1]
    You use the first uniform number twice. A guess is refused where it is large, so the draw would
    lean towards the last tokens: take the second one.
numbers_exchanged: uniforms[:, 1:] -> uniforms[:, :1] && uniforms[:, 0] -> uniforms[:, 1]
    You decide with the second uniform number and draw with the first. It is the other way round.
refused_for_accepted: uniforms[:, 0] < accept -> uniforms[:, 0] >= accept
or: guesses, drawn) -> drawn, guesses)
    You keep a guess that is refused, and replace one that is accepted. It is accepted where the
    first uniform number is below the chance.
one_too_far: <= uniforms[:, 1:]).sum(dim=1) -> \
        <= uniforms[:, 1:]).sum(dim=1).add(1).clamp(max=target.shape[1] - 1)
    The token that you draw lies one too far. Count the running sums that are not above the uniform
    number: that is the token.
"""


def _distributions(generator, rows, vocab):
    return (1.2 * randn(generator, rows, vocab)).softmax(dim=1)


def _cases(*sizes, accepted=None):
    """(rows, vocab) each. Guesses are drawn by the draft; ``accepted`` fixes the first numbers."""

    def make(generator):
        for rows, vocab in sizes:
            target, draft = (_distributions(generator, rows, vocab) for _ in range(2))
            guesses = torch.multinomial(draft, 1, generator=generator)[:, 0]
            uniforms = torch.rand(rows, 2, generator=generator, device="cpu")
            if accepted is not None:
                if not accepted:  # a guess that the draft gives too often, or all would stand
                    guesses = (draft / target).argmax(dim=1)
                uniforms[:, 0] = 0.0 if accepted else 0.999
            label = f"{rows} guesses, {vocab} tokens in the vocabulary"
            yield Case((target, draft, guesses, uniforms), label=label)

    return make


def _nothing_in_common(generator):
    """Where the draft gives nothing, and where it guesses what the target never says."""
    target, draft = (_distributions(generator, 4, 6) for _ in range(2))
    target[0, :3], draft[1, 2:] = 0.0, 0.0
    draft[2] = target[2].roll(1)
    target[3, 4:], draft[3, :4] = 0.0, 0.0
    target, draft = (part / part.sum(dim=1, keepdim=True) for part in (target, draft))
    guesses = torch.tensor([1, 0, int((draft[2] / target[2]).argmax()), 5], device="cpu")
    uniforms = torch.rand(4, 2, generator=generator, device="cpu")
    uniforms[0] = 0.0  # below no chance of 0, and above no running sum of 0
    small = torch.tensor([[0.3, 0.7], [0.7, 0.3]], device="cpu")
    first = small[:1], small[1:], torch.tensor([0], device="cpu"), uniforms[:1]
    return [
        Case(first, label="one guess, two tokens in the vocabulary"),
        Case((target, draft, guesses, uniforms), label="tokens that one of both never says"),
    ]


EXERCISE = Exercise(
    reference=accept_or_draw,
    returns={
        "accept": "(guesses,), the chance that the guess is accepted",
        "left": "(guesses, vocab), the distribution of the draw in its place",
        "token": "(guesses,)",
    },
    properties=(
        Property(
            "a guess is accepted with the right chance", 2, _cases((1, 3), (4, 5), (7, 6)), "accept"
        ),
        Property(
            "a refused guess is replaced from what the draft leaves of the target",
            2,
            _cases((1, 4), (3, 6), (6, 5)),
            "left",
        ),
        Property("the first uniform number decides", 1, _cases((5, 4), (9, 3), accepted=True)),
        Property(
            "the second one draws the token",
            1,
            _cases((5, 6), (8, 4), (17, 5), accepted=False),
            "token",
        ),
        Property("tokens that one of both never says", 1, _nothing_in_common),
    ),
    mistakes=MISTAKES,
)
