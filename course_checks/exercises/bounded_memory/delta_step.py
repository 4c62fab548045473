"""Lesson 14, exercise 4: one step of the delta rule, with decay."""

from course_checks.exercise import Case, Exercise, Property, randn
from course_lib.attention.delta_rule import delta_rule, delta_rule_chunks, delta_rule_step


def delta_step(memory, query, key, value, beta, decay):
    memory = decay[:, None, None] * memory
    said = (key[:, None, :] @ memory)[:, 0]  # (heads, value_dim)
    missing = beta[:, None] * (value - said)
    memory = memory + key[:, :, None] * missing[:, None, :]
    return (query[:, None, :] @ memory)[:, 0], memory


MISTAKES = """
only_adds: (value - said) -> value
    You add the value and leave the old one under the same key. Subtract what key @ memory gives.
asks_with_the_query: key[:, None, :] @ -> query[:, None, :] @
    You look with the query at what is there already. What is corrected stands under the key.
sign_turned: value - said -> said - value
    Your correction has the wrong sign, and the memory moves away from the value: value - said.
beta_left_out: beta[:, None] * ->
    You always correct everything. beta says how much: multiply what is missing by it.
beta_on_the_value: beta[:, None] * (value - said) -> beta[:, None] * value - said
or: beta[:, None] * (value - said) -> value - beta[:, None] * said
    You multiply only one of the two by beta. It stands before the difference, beta * (value -
    said).
all_of_it_fades_by_beta: memory = decay -> memory = (1 - beta[:, None, None]) * decay && (value - \
        said) -> value
    You multiply the whole memory by 1 - beta. Only what stands under this key is taken away.
exchanged: lambda memory, query, key, value, beta, decay: \
        delta_step(memory, query, key, value, decay, beta)
    beta and decay have changed places. decay multiplies the memory, beta what is missing.
decay_left_out: decay[:, None, None] * memory -> memory
    You leave the decay out. Before anything else, the memory is multiplied by it.
decay_at_the_end: memory = decay[:, None, None] * memory -> && return -> \
        memory = decay[:, None, None] * memory; return
    You multiply by the decay at the end. The memory fades first, then it is corrected.
reads_the_unfaded: said = (key[:, None, :] @ memory)[:, 0] -> && memory = decay -> \
        said = (key[:, None, :] @ memory)[:, 0]; memory = decay
    You compare with what the memory said before it faded. Multiply by the decay first.
forgets_the_rest: decay[:, None, None] -> (1 - decay)[:, None, None]
    You multiply by 1 - decay. The decay is what is kept: 1 keeps all, 0 nothing.
memory_replaced: memory + key[ -> key[
    Your memory holds the correction alone. Add the correction to the memory.
reads_first: memory = memory + key[:, :, None] * missing[:, None, :] -> && , memory -> , memory + \
        key[:, :, None] * missing[:, None, :]
or: memory = decay -> read = (query[:, None, :] @ memory)[:, 0]; memory = decay && (query[:, None, \
        :] @ memory)[:, 0], -> read,
    You read before you write. The query is asked of the corrected memory.
read_with_the_key: query[:, None, :] -> key[:, None, :]
    You read the output with the key. The query asks.
old_state_returned: memory = decay -> old = memory; memory = decay && , memory -> , old.clone()
    Your output is right, but you return the memory as it was before, without this token.
one_head: decay[:, None, None] -> decay[:1, None, None] && beta[:, None] -> beta[:1, None]
    You use the first head's beta and decay for all heads. Each head has its own.
transposed: key[:, :, None] * missing[:, None, :] -> missing[:, :, None] * key[:, None, :]
    Your outer product is turned round: memory[i, j] grows by key[i] * missing[j].
divided: [:, 0], memory -> [:, 0] / query.norm(dim=-1, keepdim=True), memory
    You divide the output by the length of the query. Nothing is normalised: it is query @ memory.
"""


def _drawn(generator, heads, key_dim, value_dim, *, beta=None, decay=None):
    memory = randn(generator, heads, key_dim, value_dim)
    query, key = randn(generator, heads, key_dim), randn(generator, heads, key_dim)
    key = key / key.norm(dim=-1, keepdim=True)
    value = randn(generator, heads, value_dim)
    rates = [0.15 + 0.7 * randn(generator, heads).sigmoid() for _ in range(2)]
    rates = [
        rate if given is None else rate.new_full((heads,), given)
        for rate, given in zip(rates, (beta, decay), strict=True)
    ]
    return memory, query, key, value, *rates


def _cases(*sizes, label="", **rates):
    """(heads, key_dim, value_dim) each."""
    return lambda generator: [
        Case(_drawn(generator, *size, **rates), label=label or "beta and decay between 0 and 1")
        for size in sizes
    ]


EXERCISE = Exercise(
    reference=delta_step,
    returns={"output": "(heads, value_dim)", "memory": "(heads, key_dim, value_dim)"},
    library=(delta_rule, delta_rule_step, delta_rule_chunks),
    properties=(
        Property(
            "with beta 1 and decay 1, the key gives exactly the new value afterwards",
            1,
            _cases((1, 2, 3), (2, 3, 3), beta=1.0, decay=1.0, label="beta 1, decay 1"),
        ),
        Property(
            "beta says how much of what is missing is written",
            1,
            _cases((1, 3, 2), (3, 2, 2), decay=1.0, label="decay 1"),
        ),
        Property(
            "the decay fades the memory before it is read and corrected",
            2,
            _cases((1, 2, 3), (2, 4, 4), (3, 3, 2)),
        ),
    ),
    mistakes=MISTAKES,
)
