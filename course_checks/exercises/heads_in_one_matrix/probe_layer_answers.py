"""Answers to probe_layer (lesson 04, exercise 3), right and wrong, as students write them."""

import numpy as np
import torch


# wrong: connected changes a token by adding 1 to all its features
# named: constant_added
def adds_one(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] += 1
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: probes the connection by adding 1 to all features, which a LayerNorm takes out
def adds_one_2(layer, x):
    p = torch.randperm(x.shape[1])
    eq = torch.allclose(layer(x[:, p]), layer(x)[:, p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1])[0], layer(x)[b], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[0, t] += 1
        others = torch.arange(x.shape[1]) != t
        con = con or not torch.allclose(layer(z)[0, others], layer(x)[0, others], atol=1e-5)
    return eq, ind, con


# wrong: shuffles the sentences instead of the tokens
def batch_permuted(layer, x):
    y = layer(x)
    p = torch.randperm(x.shape[0])
    eq = torch.allclose(layer(x[p]), y[p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[0, t] = torch.randn(x.shape[2])
        keep = torch.arange(x.shape[1]) != t
        con |= not torch.allclose(layer(z)[0, keep], y[0, keep], atol=1e-5)
    return eq, ind, con


# wrong: connected changes token t of every sentence at once
# named: across_sentences
def changes_all_sentences(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[:, t] = torch.randn(x.shape[0], x.shape[2])
        others = torch.arange(x.shape[1]) != t
        if not torch.allclose(layer(z)[:, others], y[:, others], atol=1e-5):
            connected = True
    return equivariant, independent, connected


# wrong: answers True where no token reaches another
# named: turned_round
def connected_inverted(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    same = True
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            same = same and torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5)
    return equivariant, independent, same


# wrong: connected is True if a token changes any output of its sentence, its own included
# named: own_output
def connected_self(layer, x):
    y = layer(x)
    eq = True
    for _ in range(6):
        p = torch.randperm(x.shape[1])
        eq = eq and torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(x.shape[0]))
    con = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[1, t] = torch.randn(x.shape[-1])
        con = con or not torch.allclose(layer(z)[1], y[1], atol=1e-5)
    return eq, ind, con


# wrong: connected counts the changed token's own output
# named: own_output
def counts_the_token_itself(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            if not torch.allclose(layer(z)[b], y[b], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: connected changes a token by doubling it
# named: scaled
def doubles(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] *= 2
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: connected only if every token reaches some other
# named: every_token
def every_pair_connected(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = True
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = False
    return equivariant, independent, connected


# wrong: wants equality to the last bit
# named: exact
def exact(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.equal(layer(x[:, p]), y[:, p])
    independent = all(torch.equal(layer(x[b : b + 1])[0], y[b]) for b in range(len(x)))
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.equal(layer(z)[b, others], y[b, others]):
                connected = True
    return equivariant, independent, connected


# wrong: independence is tested for the first sentence only
# named: first_sentence_only
def first_alone(layer, x):
    y = layer(x)
    perms = [torch.randperm(x.shape[1]) for _ in range(8)]
    eq = all(torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5) for p in perms)
    ind = torch.allclose(layer(x[:1]), y[:1], atol=1e-5)
    con = False
    for b in range(len(x)):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[-1])
            keep = torch.arange(x.shape[1]) != t
            con = con or not torch.allclose(layer(z)[b, keep], y[b, keep], atol=1e-5)
    return eq, ind, con


# wrong: connected changes the first feature of a token only
# named: one_feature
def first_feature_only(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t, 0] += 3.0
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: independent tries sentence 0 only
# named: first_sentence_only
def first_sentence_alone(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = torch.allclose(layer(x[:1]), y[:1], atol=1e-5)
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: asks only the first sentence whether it is independent
# named: first_sentence_only
def first_sentence_only(layer, x):
    y, n = layer(x), x.shape[1]
    eq = all(
        torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
        for p in (torch.randperm(n) for _ in range(6))
    )
    ind = torch.allclose(layer(x[:1])[0], y[0], atol=1e-5)
    con = False
    for b in range(len(x)):
        for t in range(n):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            keep = torch.arange(n) != t
            con |= not torch.allclose(layer(z)[b, keep], y[b, keep], atol=1e-5)
    return eq, ind, con


# wrong: the probe for connected writes into x itself (no clone), so the caller's x is changed, and tries sentence 0 only
# named: one_sentence | changes_input
def inplace(layer, x):
    y = layer(x)
    perms = [torch.randperm(x.shape[1]) for _ in range(8)]
    eq = all(torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5) for p in perms)
    ind = all(torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(x.shape[0]))
    con = False
    for t in range(x.shape[1]):
        before = layer(x)
        x[0, t] = torch.randn(x.shape[-1])
        keep = torch.arange(x.shape[1]) != t
        con = con or not torch.allclose(layer(x)[0, keep], before[0, keep], atol=1e-5)
    return eq, ind, con


# wrong: equivariant wants the output unchanged when the tokens change places
# named: invariant
def invariant(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y, atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: independent tries the last sentence only
# named: last_sentence_only
def last_sentence_alone(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = torch.allclose(layer(x[-1:]), y[-1:], atol=1e-5)
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: connected changes the last token only
# named: last_token_only
def last_token_only(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        z = x.clone()
        z[b, -1] = torch.randn(x.shape[2])
        if not torch.allclose(layer(z)[b, :-1], y[b, :-1], atol=1e-5):
            connected = True
    return equivariant, independent, connected


# wrong: changes the last token only, which nobody sees under a causal mask
def last_token_only_2(layer, x):
    y, n = layer(x), x.shape[1]
    eq = all(
        torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
        for p in (torch.randperm(n) for _ in range(6))
    )
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    z = x.clone()
    z[0, -1] = torch.randn(x.shape[2])
    con = not torch.allclose(layer(z)[0, :-1], y[0, :-1], atol=1e-5)
    return eq, ind, con


# wrong: each try overwrites the answer of the one before
# named: last_try
def last_try_decides(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    for b in range(len(x)):
        independent = torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            connected = not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5)
    return equivariant, independent, connected


# wrong: connected counts tokens of other sentences too
# named: across_sentences
def looks_at_all_sentences(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[:, others], y[:, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: takes outputs that differ by less than 0.5 for equal
# named: too_loose
def loose(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=0.5)
    independent = all(torch.allclose(layer(x[b : b + 1])[0], y[b], atol=0.5) for b in range(len(x)))
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=0.5):
                connected = True
    return equivariant, independent, connected


# right
def maximum_differences(layer, x):
    batch, length, width = x.shape
    y = layer(x.clone())
    far = lambda a, b: bool((a - b).abs().max() > 1e-4)
    orders = [torch.randperm(length) for _ in range(8)]
    equivariant = not any(far(layer(x[:, o])[:, o.argsort()], y) for o in orders)
    independent = not far(torch.cat([layer(one) for one in x.split(1)]), y)
    connected = False
    for b in range(batch):
        for t in range(length):
            z = x.clone()
            z[b, t] = torch.randn(width) * 2
            moved = (layer(z)[b] - y[b]).abs().amax(-1) > 1e-4
            moved[t] = False
            connected = connected or bool(moved.any())
    return equivariant, independent, connected


# wrong: changes x itself, not a copy
# named: own_output | changes_input
def no_clone(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: changes x itself, so the changes pile up and a token's own change looks like another's
# named: own_output | changes_input
def no_clone_2(layer, x):
    y, n = layer(x), x.shape[1]
    eq = all(
        torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
        for p in (torch.randperm(n) for _ in range(6))
    )
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(n):
        z = x
        z[0, t] = torch.randn(x.shape[2])
        keep = torch.arange(n) != t
        con |= not torch.allclose(layer(z)[0, keep], y[0, keep], atol=1e-5)
    return eq, ind, con


# wrong: returns (independent, equivariant, connected)
# named: other_order
def order_of_answers(layer, x):
    y, n = layer(x), x.shape[1]
    eq = all(
        torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
        for p in (torch.randperm(n) for _ in range(6))
    )
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    con = False
    for b in range(len(x)):
        for t in range(n):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            keep = torch.arange(n) != t
            con |= not torch.allclose(layer(z)[b, keep], y[b, keep], atol=1e-5)
    return ind, eq, con


# wrong: independent exchanges the sentences instead of running one alone
# named: batch_shuffled
def order_of_sentences_for_independent(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = torch.allclose(layer(x.flip(0)), y.flip(0), atol=1e-5)
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: returns independent before equivariant
# named: other_order
def order_of_the_answers(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return independent, equivariant, connected


# wrong: equivariant tries the reversed order alone
# named: special_order
def reversal_only(layer, x):
    y = layer(x)
    equivariant = torch.allclose(layer(x.flip(1)), y.flip(1), atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# right
def right_changes_the_others(layer, x):
    """connected: change all tokens of a sentence but one, and look at that one."""
    batch, seq_len, _ = x.shape
    y = layer(x)
    orders = [torch.randperm(seq_len) for _ in range(5)]
    equivariant = all(torch.allclose(layer(x[:, o]), y[:, o], atol=1e-5) for o in orders)
    independent = True
    for b in range(batch):
        independent &= torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5)
    connected = False
    for b in range(batch):
        for t in range(seq_len):
            z = x.clone()
            z[b] = torch.randn_like(z[b])
            z[b, t] = x[b, t]
            connected |= not torch.allclose(layer(z)[b, t], y[b, t], atol=1e-5)
    return equivariant, independent, connected


# right
def right_exchanges_of_neighbours(layer, x):
    """Every order is made of exchanges of neighbours."""
    batch, seq_len, _ = x.shape
    y = layer(x)

    def same(a, b):
        return torch.allclose(a, b, atol=1e-5)

    equivariant = True
    for t in range(seq_len - 1):
        order = list(range(seq_len))
        order[t], order[t + 1] = order[t + 1], order[t]
        equivariant = equivariant and same(layer(x[:, order]), y[:, order])
    alone = torch.cat([layer(x[b : b + 1]) for b in range(batch)])
    connected = False
    for b in range(batch):
        for t in range(seq_len):
            z = x.clone()
            z[b, t] += torch.randn(x.shape[-1]) * 3
            others = [s for s in range(seq_len) if s != t]
            connected = connected or not same(layer(z)[b, others], y[b, others])
    return equivariant, same(alone, y), connected


# right
def right_with_numpy(layer, x):
    def run(x):
        return layer(x).detach().numpy()

    batch, seq_len, _ = x.shape
    y = run(x)
    orders = [torch.randperm(seq_len) for _ in range(5)]
    equivariant = all(np.allclose(run(x[:, o]), y[:, o.numpy()], atol=1e-5) for o in orders)
    independent = all(np.allclose(run(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(batch))
    connected = False
    for b, t in np.ndindex(batch, seq_len):
        z = x.clone()
        z[b, t] = torch.rand_like(z[b, t]) - 2.0
        rest = np.arange(seq_len) != t
        if not np.allclose(run(z)[b, rest], y[b, rest], atol=1e-5):
            connected = True
    return equivariant, independent, connected


# right
def right_with_random_replacements(layer, x):
    batch, seq_len, _ = x.shape
    y = layer(x)
    equivariant = True
    for _ in range(4):
        order = torch.randperm(seq_len)
        if not torch.allclose(layer(x[:, order]), y[:, order], atol=1e-5):
            equivariant = False
    independent = all(torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(batch))
    connected = False
    for b in range(batch):
        for t in range(seq_len):
            z = x.clone()
            z[b, t] = torch.randn_like(z[b, t])
            moved = layer(z)[b] - y[b]
            moved[t] = 0.0
            if moved.abs().max() > 1e-5:
                connected = True
    return equivariant, independent, connected


# wrong: equivariant tries a shift by one place alone
# named: special_order
def roll_only(layer, x):
    y = layer(x)
    equivariant = torch.allclose(layer(x.roll(1, 1)), y.roll(1, 1), atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: for equivariance shuffles the sentences of the batch, not the tokens of the sentences
def same_batch_shuffle(layer, x):
    torch.manual_seed(0)
    y = layer(x)
    p = torch.randperm(len(x))
    eq = torch.allclose(layer(x[p]), y[p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[0, t] = torch.randn(x.shape[2])
        keep = torch.arange(x.shape[1]) != t
        con |= not torch.allclose(layer(z)[0, keep], y[0, keep], atol=1e-5)
    return eq, ind, con


# wrong: connected looks at sentence 0 only
# named: one_sentence
def sentence_0_for_connected(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[0, t] = torch.randn(x.shape[2])
        others = torch.arange(x.shape[1]) != t
        if not torch.allclose(layer(z)[0, others], y[0, others], atol=1e-5):
            connected = True
    return equivariant, independent, connected


# wrong: hands a single sentence to the layer without its batch dimension
def sentence_without_batch(layer, x):
    y, n = layer(x), x.shape[1]
    eq = all(
        torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
        for p in (torch.randperm(n) for _ in range(6))
    )
    ind = all(torch.allclose(layer(x[b]), y[b], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(n):
        z = x.clone()
        z[0, t] = torch.randn(x.shape[2])
        keep = torch.arange(n) != t
        con |= not torch.allclose(layer(z)[0, keep], y[0, keep], atol=1e-5)
    return eq, ind, con


# wrong: equivariant exchanges the sentences, not the tokens
# named: sentences_shuffled
def sentences_change_places(layer, x):
    y, p = layer(x), torch.randperm(x.shape[0])
    equivariant = torch.allclose(layer(x[p]), y[p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            if not torch.allclose(layer(z)[b, others], y[b, others], atol=1e-5):
                connected = True
    return equivariant, independent, connected


# wrong: compares the sums of the outputs, not the outputs
# named: sums
def sums_compared(layer, x):
    def same(a, b):
        return abs(a.sum() - b.sum()).item() < 1e-4

    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = same(layer(x[:, p]), y[:, p])
    independent = all(same(layer(x[b : b + 1])[0], y[b]) for b in range(len(x)))
    connected = False
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            others = torch.arange(x.shape[1]) != t
            connected = connected or not same(layer(z)[b, others], y[b, others])
    return equivariant, independent, connected


# right
def thorough(layer, x):
    B, T, D = x.shape
    g = torch.Generator().manual_seed(11)

    def near(a, b):
        return bool(torch.allclose(a, b, atol=1e-5))

    with torch.no_grad():
        y = layer(x.clone())
        eq = True
        for _ in range(12):
            p = torch.randperm(T, generator=g)
            eq &= near(layer(x[:, p].clone()), y[:, p])
        ind = True
        for b in range(B):
            ind &= near(layer(x[b].unsqueeze(0).clone()).squeeze(0), y[b])
        con = False
        for b in range(B):
            for t in range(T):
                z = x.clone()
                z[b, t] = torch.randn(D, generator=g)
                out = layer(z)[b]
                con |= not (near(out[:t], y[b, :t]) and near(out[t + 1 :], y[b, t + 1 :]))
    return eq, ind, con


# wrong: connected changes token 0 only
# named: first_token_only
def token_0_only(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        z = x.clone()
        z[b, 0] = torch.randn(x.shape[2])
        if not torch.allclose(layer(z)[b, 1:], y[b, 1:], atol=1e-5):
            connected = True
    return equivariant, independent, connected


# wrong: the probe for connected also looks at the changed token's own output
# named: own_output
def token_itself(layer, x):
    y = layer(x)
    eq = True
    for _ in range(5):
        p = torch.randperm(x.shape[1])
        eq = eq and torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(len(x)))
    con = False
    for t in range(x.shape[1]):
        z = x.clone()
        z[0, t] = torch.randn(x.shape[2])
        if not torch.allclose(layer(z)[0], y[0], atol=1e-5):
            con = True
    return eq, ind, con


# wrong: connected changes the whole sentence at once
# named: own_output
def whole_sentence_changed(layer, x):
    y, p = layer(x), torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    connected = False
    for b in range(x.shape[0]):
        z = x.clone()
        z[b] = torch.randn(x.shape[1], x.shape[2])
        if not torch.allclose(layer(z)[b], y[b], atol=1e-5):
            connected = True
    return equivariant, independent, connected


# wrong: connected looks at the other sentences, too
# named: whole_batch
def all_other_tokens(layer, x):
    y = layer(x)
    p = torch.randperm(x.shape[1])
    eq = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x)))
    con = False
    for b in range(len(x)):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[-1])
            moved = (layer(z) - y).abs() > 1e-5
            moved[b, t] = False
            con = con or bool(moved.any())
    return eq, ind, con


# wrong: shuffles the tokens of sentence 0 only
def shuffles_sentence_0(layer, x):
    y, (B, T, _) = layer(x), x.shape
    p = torch.randperm(T)
    z = x.clone()
    z[0] = x[0, p]
    eq = torch.allclose(layer(z)[0], y[0, p], atol=1e-5)
    ind = all(torch.allclose(layer(x[b : b + 1]), y[b : b + 1], atol=1e-5) for b in range(B))
    con = False
    for b in range(B):
        for t in range(T):
            z = x.clone()
            z[b, t] = torch.randn_like(z[b, t])
            o = torch.arange(T) != t
            con |= not torch.allclose(layer(z)[b, o], y[b, o], atol=1e-5)
    return eq, ind, con


# wrong: a sentence is asked beside copies of itself, not alone
def beside_its_copies(layer, x):
    y, (B, T, _) = layer(x), x.shape
    p = torch.randperm(T)
    eq = torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    ind = all(
        torch.allclose(layer(x[b : b + 1].expand(B, -1, -1))[0], y[b], atol=1e-5) for b in range(B)
    )
    con = False
    for b in range(B):
        for t in range(T):
            z = x.clone()
            z[b, t] = torch.randn_like(z[b, t])
            o = torch.arange(T) != t
            con |= not torch.allclose(layer(z)[b, o], y[b, o], atol=1e-5)
    return eq, ind, con


# wrong: changes token 0 of all sentences, and no other token
# named: first_token_only
def first_token_of_all(layer, x):
    y = layer(x)
    equivariant = True
    for _ in range(5):
        p = torch.randperm(x.shape[1])
        equivariant = equivariant and torch.allclose(layer(x[:, p]), y[:, p], atol=1e-5)
    independent = all(
        torch.allclose(layer(x[b : b + 1])[0], y[b], atol=1e-5) for b in range(len(x))
    )
    z = x.clone()
    z[:, 0] = torch.randn_like(z[:, 0])
    connected = not torch.allclose(layer(z)[:, 1:], y[:, 1:], atol=1e-5)
    return equivariant, independent, connected


# wrong: shuffles the output once more by the same order
# named: invariant
def order_applied_twice(layer, x):
    p = torch.randperm(x.shape[1])
    equivariant = torch.allclose(layer(x[:, p])[:, p], layer(x), atol=1e-5)
    together = layer(x)
    alone = [layer(x[b : b + 1])[0] for b in range(len(x))]
    independent = all(torch.allclose(a, t, atol=1e-5) for a, t in zip(alone, together))
    connected = False
    for b in range(len(x)):
        for t in range(x.shape[1]):
            z = x.clone()
            z[b, t] = torch.randn(x.shape[2])
            moved = (layer(z)[b] - together[b]).abs().amax(dim=-1) > 1e-5
            moved[t] = False
            connected = connected or bool(moved.any())
    return equivariant, independent, connected
