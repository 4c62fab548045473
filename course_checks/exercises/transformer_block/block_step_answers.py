"""Answers to block_step (lesson 08, exercise 3), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F
from torch import nn


# wrong: post-norm whatever norm_first says
# named: always_post
def always_post(x, sublayer, norm, norm_first):
    return norm(x + sublayer(x))


# wrong: pre-norm whatever norm_first says
# named: always_pre
def always_pre(x, sublayer, norm, norm_first):
    return x + sublayer(norm(x))


# wrong: post-norm also normalises what the sublayer reads
# named: norm_twice_in_post
def both(x, sublayer, norm, norm_first):
    y = x + sublayer(norm(x))
    return y if norm_first else norm(y)


# wrong: compares the flag with a word, so it is always post-norm
# named: always_post
def compares_string(x, sublayer, norm, norm_first):
    if norm_first == "pre":
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))


# wrong: a small constant is added before the norm, which a LayerNorm hides
def constant_added(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x + 0.1))
    return norm(x + sublayer(x) + 0.1)


# right
def copy_and_add(x, sublayer, norm, norm_first):
    stream = x.clone()
    stream += sublayer(norm(x) if norm_first else x)
    if not norm_first:
        stream = norm(stream)
    return stream


# right
def functions(x, sublayer, norm, norm_first):
    def pre():
        return sublayer(norm(x)) + x

    def post():
        return norm(sublayer(x) + x)

    return [post, pre][int(norm_first)]()


# right
def identities(x, sublayer, norm, norm_first):
    identity = nn.Identity()
    before, after = (norm, identity) if norm_first else (identity, norm)
    return after(torch.add(x, sublayer(before(x))))


# right
def identity(x, sublayer, norm, norm_first):
    same = nn.Identity()
    before, after = (norm, same) if bool(norm_first) else (same, norm)
    return after(torch.add(sublayer(before(x)), x))


# wrong: x += writes into the caller's stream
# named: changes_input
def in_place(x, sublayer, norm, norm_first):
    with torch.no_grad():
        if norm_first:
            x += sublayer(norm(x))
            return x
        x += sublayer(x)
        return norm(x)


# wrong: adds to the caller's stream in place in pre-norm
# named: changes_input
def in_place_2(x, sublayer, norm, norm_first):
    if norm_first:
        x += sublayer(norm(x))
        return x
    return norm(x + sublayer(x))


# wrong: add_ in post-norm writes into the caller's stream
# named: changes_input
def in_place_post_only(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x.add_(sublayer(x)))


# right
def inner_outer(x, sublayer, norm, norm_first):
    same = nn.Identity()
    inner, outer = (norm, same) if norm_first else (same, norm)
    return outer(torch.add(sublayer(inner(x)), x))


# wrong: half the sum of x and the answer
# named: halved
def mean_of_two(x, sublayer, norm, norm_first):
    if norm_first:
        return (x + sublayer(norm(x))) / 2
    return norm((x + sublayer(x)) / 2)


# wrong: subtracts what the sublayer says
# named: subtracted
def minus(x, sublayer, norm, norm_first):
    if norm_first:
        return x - sublayer(norm(x))
    return norm(x - sublayer(x))


# wrong: all is computed under no_grad
# named: cut_off
@torch.no_grad()
def no_grad(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))


# wrong: in post-norm the norm is forgotten
# named: no_norm_in_post
def no_norm_in_post(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return x + sublayer(x)


# wrong: in pre-norm the norm is forgotten
# named: no_norm_in_pre
def no_norm_in_pre(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(x)
    return norm(x + sublayer(x))


# wrong: forgets the residual sum in post-norm
# named: no_residual_in_post
def no_sum_post(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(sublayer(x))


# wrong: in pre-norm the answer is normalised instead of what the sublayer reads
# named: update_normalised_in_pre
def norm_after_sublayer_in_pre(x, sublayer, norm, norm_first):
    if norm_first:
        return x + norm(sublayer(x))
    return norm(x + sublayer(x))


# wrong: normalises the sum in pre-norm too
# named: sum_normalised_in_pre
def norm_always_after(x, sublayer, norm, norm_first):
    y = sublayer(norm(x)) if norm_first else sublayer(x)
    return norm(x + y)


# wrong: post-norm normalises the sublayer's answer alone, and adds x afterwards
# named: update_normalised_in_post
def norm_answer(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return x + norm(sublayer(x))


# wrong: the norm is taken under no_grad
# named: gradient_cut
def norm_detached(x, sublayer, norm, norm_first):
    if norm_first:
        with torch.no_grad():
            seen = norm(x)
        return x + sublayer(seen)
    return norm(x + sublayer(x))


# wrong: compares norm_first with the string "True"
# named: always_post
def norm_first_is_the_string(x, sublayer, norm, norm_first):
    if norm_first == "True":
        return x + sublayer(norm(x))
    return norm(x + sublayer(x))


# wrong: in post-norm x and the answer are normalised apart and then added
# named: stream_normalised_in_post
def norm_of_both(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x) + norm(sublayer(x))


# wrong: in post-norm the norm is taken of x before the sum
# named: stream_normalised_in_post
def norm_of_x_only(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x) + sublayer(x)


# wrong: in pre-norm the sum is with the normalised stream
# named: stream_normalised_in_pre
def norm_replaces_x(x, sublayer, norm, norm_first):
    if norm_first:
        x = norm(x)
        return x + sublayer(x)
    return norm(x + sublayer(x))


# right
def one_expression(x, sublayer, norm, norm_first):
    return x + sublayer(norm(x)) if norm_first else norm(x + sublayer(x))


# wrong: returns what is added instead of the new stream
# named: x_taken_off
def only_the_step(x, sublayer, norm, norm_first):
    if norm_first:
        return sublayer(norm(x))
    return norm(x + sublayer(x)) - x


# wrong: pre-norm and post-norm are exchanged
# named: orders_exchanged
def orders_exchanged(x, sublayer, norm, norm_first):
    if norm_first:
        return norm(x + sublayer(x))
    return x + sublayer(norm(x))


# wrong: uses its own LayerNorm instead of the norm that is given
# named: norm_of_its_own
def own_norm(x, sublayer, norm, norm_first):
    def own(y):
        return F.layer_norm(y, y.shape[-1:])

    if norm_first:
        return x + sublayer(own(x))
    return own(x + sublayer(x))


# wrong: in post-norm the sublayer reads a normalised stream as well
# named: norm_twice_in_post
def post_normed_before_2(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x))
    return norm(x + sublayer(norm(x)))


# wrong: in pre-norm the sum is normalised too
# named: sum_normalised_in_pre
def pre_normed_again(x, sublayer, norm, norm_first):
    if norm_first:
        return norm(x + sublayer(norm(x)))
    return norm(x + sublayer(x))


# wrong: the residual sum is missing in pre-norm
# named: no_residual_in_pre
def pre_without_sum(x, sublayer, norm, norm_first):
    if norm_first:
        return sublayer(norm(x))
    return norm(x + sublayer(x))


# wrong: the answer is divided by the root of 2
# named: scaled_down
def scaled_down(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x)) / math.sqrt(2)
    return norm(x + sublayer(x) / math.sqrt(2))


# wrong: what the sublayer says is detached, so it learns nothing
# named: gradient_cut
def step_detached(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(norm(x)).detach()
    return norm(x + sublayer(x).detach())


# wrong: the stream is detached, so no gradient passes by the sublayer
# named: gradient_cut
def stream_detached(x, sublayer, norm, norm_first):
    if norm_first:
        return x.detach() + sublayer(norm(x))
    return norm(x.detach() + sublayer(x))


# wrong: the sublayer is called on its own answer
# named: sublayer_twice
def sublayer_of_sublayer(x, sublayer, norm, norm_first):
    if norm_first:
        return x + sublayer(sublayer(norm(x)))
    return norm(x + sublayer(sublayer(x)))


# wrong: the answer is added twice
# named: added_twice
def sublayer_twice(x, sublayer, norm, norm_first):
    if norm_first:
        return x + 2 * sublayer(norm(x))
    return norm(x + 2 * sublayer(x))


# right
def sum_of_a_stack(x, sublayer, norm, norm_first):
    seen = norm(x) if norm_first else x
    total = torch.stack([x, sublayer(seen)]).sum(dim=0)
    return total if norm_first else norm(total)


# wrong: the two orders are exchanged
# named: orders_exchanged
def swapped(x, sublayer, norm, norm_first):
    return norm(x + sublayer(x)) if norm_first else x + sublayer(norm(x))


# wrong: the sublayer gets one token at a time, so attention sees nothing else
# named: token_by_token
def token_by_token(x, sublayer, norm, norm_first):
    def each(y):
        return torch.cat([sublayer(y[..., t : t + 1, :]) for t in range(y.shape[-2])], dim=-2)

    if norm_first:
        return x + each(norm(x))
    return norm(x + each(x))


# wrong: the residual sum is missing in both orders
# named: no_residual
def without_sums(x, sublayer, norm, norm_first):
    if norm_first:
        return sublayer(norm(x))
    return norm(sublayer(x))


# wrong: x is counted twice
# named: added_twice
def x_twice(x, sublayer, norm, norm_first):
    if norm_first:
        return 2 * x + sublayer(norm(x))
    return norm(2 * x + sublayer(x))
