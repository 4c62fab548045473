"""Answers to leaks (lesson 05, exercise 2), right and wrong, as students write them."""

import numpy as np
import torch


# wrong: adds 1 to all features of a token
# named: constant_added
def adds_one(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] += 1
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False


# wrong: looks at all outputs
# named: all_outputs
def all_outputs(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z), y, atol=1e-5):
            return True
    return False


# wrong: a tolerance of 0.1 lets small leaks pass
# named: too_loose
def coarse(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn_like(x[j])
        if not torch.allclose(layer(z)[:j], y[:j], atol=0.1, rtol=0.1, equal_nan=True):
            return True
    return False


# wrong: sets a token to 5 everywhere, which a LayerNorm takes for zeros
# named: constant
def constant(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = 5.0
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False


# wrong: doubles a token, which changes no zeros
# named: scaled
def doubles(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] *= 2
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False


# wrong: doubles the later token, which changes nothing when all tokens are zero or when a LayerNorm stands in front
# named: scaled
def doubles_2(layer, x):
    y = layer(x)
    for j in range(1, x.shape[0]):
        z = x.clone()
        z[j] *= 2
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5, equal_nan=True):
            return True
    return False


# wrong: decides after the first token that it changed
# named: first_round_only
def early_return(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn_like(x[j])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
        else:
            return False


# wrong: looks at the first half of the features
# named: some_features
def first_half_of_the_features(layer, x):
    y = layer(x)
    half = x.shape[1] // 2
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j, :half], y[:j, :half], atol=1e-5):
            return True
    return False


# wrong: looks at output 0 only
# named: first_output_only
def first_output_only(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[0], y[0], atol=1e-5):
            return True
    return False


# wrong: changes an earlier token and looks at the later outputs (direction the wrong way round)
# named: backwards
def first_token(layer, x):
    y = layer(x)
    for j in range(len(x) - 1):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[j + 1 :], y[j + 1 :], atol=1e-5, equal_nan=True):
            return True
    return False


# wrong: changes token 0 and looks at the later ones
# named: backwards
def first_token_changed(layer, x):
    z = x.clone()
    z[0] = torch.randn(x.shape[1])
    return not torch.allclose(layer(z)[1:], layer(x)[1:], atol=1e-5)


# wrong: returns after the first token that it tried
# named: first_round_only
def first_try_decides(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        return not torch.allclose(layer(z)[:j], y[:j], atol=1e-5)


# wrong: also compares the output of the changed token
# named: own_output
def includes_itself(layer, x):
    y = layer(x)
    for j in range(1, x.shape[0]):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[: j + 1], y[: j + 1], atol=1e-5, equal_nan=True):
            return True
    return False


# wrong: True for layers that do not look ahead
# named: inverted
def inverted(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return False
    return True


# wrong: changes only the last token
# named: last_token_only
def last_only(layer, x):
    y = layer(x)
    z = x.clone()
    z[-1] = torch.randn_like(x[-1])
    return not torch.allclose(layer(z)[:-1], y[:-1], atol=1e-5, equal_nan=True)


# wrong: the loop ends before the last token
# named: last_token_spared
def last_token_left_out(layer, x):
    y = layer(x)
    for j in range(1, len(x) - 1):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False


# wrong: changes the last token only
# named: last_token_only
def last_token_only(layer, x):
    z = x.clone()
    z[-1] = torch.randn(x.shape[1])
    return not torch.allclose(layer(z)[:-1], layer(x)[:-1], atol=1e-5)


# wrong: each try overwrites the answer before it
# named: last_token_only
def last_try_decides(layer, x):
    y, answer = layer(x), False
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        answer = not torch.allclose(layer(z)[:j], y[:j], atol=1e-5)
    return answer


# wrong: looks at the outputs from the changed token on
# named: all_outputs
def later_outputs(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[j:], y[j:], atol=1e-5):
            return True
    return False


# wrong: overlooks what moves by less than 0.1
# named: too_loose
def loose(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=0.1):
            return True
    return False


# wrong: compares the means of the earlier outputs
# named: averaged
def mean_compared(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if abs(layer(z)[:j].mean() - y[:j].mean()) > 1e-5:
            return True
    return False


# wrong: the maximum of differences with a NaN in it is NaN, which is not larger than anything
# named: nan_passes
def nan_max(layer, x):
    y = layer(x)
    for j in range(1, x.shape[0]):
        z = x.clone()
        z[j] = torch.randn_like(x[j])
        if (layer(z)[:j] - y[:j]).abs().max() > 1e-5:
            return True
    return False


# wrong: a largest difference, which is NaN and never greater
# named: nan_passes
def nan_passes(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if (layer(z)[:j] - y[:j]).abs().max() > 1e-5:
            return True
    return False


# wrong: turns the sign of a token round
# named: negated
def negated(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = -z[j]
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False


# wrong: looks at the token right before the changed one only
# named: neighbour_only
def neighbour_before(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[j - 1], y[j - 1], atol=1e-5):
            return True
    return False


# wrong: changes x itself, and with it what it is compared with
# named: changes_input
def no_clone(layer, x):
    for j in range(1, len(x)):
        y = layer(x)
        z = x
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False


# wrong: compares [:j+1], so the changed token's own output counts as a leak
# named: own_output
def off_by_one(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn_like(x[j])
        if not torch.allclose(layer(z)[: j + 1], y[: j + 1], atol=1e-5, equal_nan=True):
            return True
    return False


# wrong: changes feature 0 of a token only
# named: one_feature
def one_feature_changed(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j, 0] += 0.5
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False


# wrong: counts the changed token's own output
# named: own_output
def own_output_counted(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[: j + 1], y[: j + 1], atol=1e-5):
            return True
    return False


# wrong: looks whether an earlier token moves a later output
# named: backwards
def past_to_future(layer, x):
    y = layer(x)
    for j in range(len(x) - 1):
        z = x.clone()
        z[j] = torch.randn_like(x[j])
        if not torch.allclose(layer(z)[j + 1 :], y[j + 1 :], atol=1e-5, equal_nan=True):
            return True
    return False


# wrong: adds 1 to all features of a token, which a LayerNorm takes out
# named: constant_added
def plus_one(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] += 1.0
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5, equal_nan=True):
            return True
    return False


# right
def random_base(layer, x):
    g = torch.Generator().manual_seed(0)
    with torch.no_grad():
        y = layer(x.clone())
        for j in range(1, x.shape[0]):
            for _ in range(3):
                z = x.clone()
                z[j] = torch.randn(x.shape[1:], generator=g).to(x.dtype) * 2
                new = layer(z)
                if not torch.allclose(new[:j], y[:j], atol=1e-5, equal_nan=True):
                    return True
    return False


# wrong: allows a tenth of the output, however large
# named: relative
def relative_tolerance(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], rtol=0.1, atol=1e-5):
            return True
    return False


# wrong: turns the tokens round and looks whether the outputs follow
# named: reversed
def reversed_order(layer, x):
    return not torch.allclose(layer(x.flip(0)).flip(0), layer(x), atol=1e-5)


# right
def right_every_token_random(layer, x):
    before = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn_like(z[j])
        if not torch.allclose(layer(z)[:j], before[:j], atol=1e-5, equal_nan=True):
            return True
    return False


# right
def right_numpy(layer, x):
    y = layer(x).detach().numpy()
    found = []
    for j in range(len(x)):
        z = x.clone()
        z[j] = z[j] + torch.rand(x.shape[1]) * 4 - 2
        new = layer(z).detach().numpy()
        found.append(not np.allclose(new[:j], y[:j], atol=1e-5, equal_nan=True))
    return any(found)


# right
def right_pairs(layer, x):
    original = layer(x)

    def moves(j, i):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        return not torch.allclose(layer(z)[i], original[i], atol=1e-5)

    return any(moves(j, i) for j in range(len(x)) for i in range(j))


# right
def right_two_futures(layer, x):
    for j in range(1, x.shape[0]):
        one, other = x.clone(), x.clone()
        one[j], other[j] = torch.randn(2, x.shape[1])
        if not torch.allclose(layer(one)[:j], layer(other)[:j], atol=1e-5):
            return True
    return False


# right
def right_whole_future_at_once(layer, x):
    """For every i: another future altogether, several times."""
    y = layer(x)
    for i in range(x.shape[0] - 1):
        for _ in range(5):
            z = x.clone()
            z[i + 1 :] = torch.randn_like(x[i + 1 :]) * 2
            moved = (layer(z)[: i + 1] - y[: i + 1]).abs()
            if (moved > 1e-5).any():
                return True
    return False


# wrong: puts the later tokens in another order instead of changing them
def shuffles_future(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = torch.cat((x[:j], x[j:].flip(0)))
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5, equal_nan=True):
            return True
    return False


# wrong: asks the derivative, which is 0 for a leak in steps
# named: nan_passes
def slope_at_x(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x)
    return any(bool(slopes[i, :, i + 1 :].abs().max() > 1e-5) for i in range(len(x) - 1))


# right
def whole_future(layer, x):
    before = layer(x.clone())
    for j in range(x.size(0) - 1, 0, -1):
        for scale in (1.0, 3.0):
            future = scale * torch.randn(x[j:].shape, dtype=x.dtype)
            after = layer(torch.cat([x[:j], future]))
            if not torch.isclose(after[:j], before[:j], atol=1e-5, equal_nan=True).all():
                return True
    return False


# wrong: sets a token to zero, which changes no zeros
# named: zeroed
def zeroed(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = 0
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False


# wrong: puts zeros in the place of a token, which changes nothing if all are zero
# named: zeroed
def zeroed_2(layer, x):
    y = layer(x)
    for j in range(1, x.shape[0]):
        z = x.clone()
        z[j] = 0
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5, equal_nan=True):
            return True
    return False


# wrong: tolerance 1e-2
# named: too_loose
def one_hundredth(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] = torch.randn(x.shape[1])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-2):
            return True
    return False


# wrong: all later tokens changed at one cut in the middle
# named: one_cut
def cut_in_the_middle(layer, x):
    m = len(x) // 2
    z = x.clone()
    z[m:] = torch.randn_like(z[m:])
    a, b = layer(x)[:m], layer(z)[:m]
    return bool((~torch.isclose(a, b, atol=1e-5)).any())


# wrong: changes the later token by 0.001 only
# named: too_loose
def moved_by_a_thousandth(layer, x):
    y = layer(x)
    for j in range(1, len(x)):
        z = x.clone()
        z[j] += 1e-3 * torch.randn_like(z[j])
        if not torch.allclose(layer(z)[:j], y[:j], atol=1e-5):
            return True
    return False
