"""Few heads that break a sentence where others do not: docs/surprises.json.

    python -m tools.site.surprises

Of the heads that SmolLM2's next word needs most, by its gradient and then by a run without each of
them alone, all pairs are tried; where no pair does it, sets of three. Those stay that make it write
something else, while at least 18 of 20 draws of as many other heads of the same layers change
nothing. "Surprise me" on the page "Break the model" shows one of them. What is stored stays, and
sentences of which nothing is stored are tried, until there are enough. The site's build measures
some again, and the nightly tests all.
"""

import hashlib
import json
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import combinations, product
from pathlib import Path
from typing import cast

import torch

from course_lib.data.real_model import SMOLLM2, encode, load_smollm2
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, by_attention, others_like
from course_lib.study.head_outputs import ablate_by_row
from course_lib.study.head_places import find_heads
from course_lib.validation.values import spelt_out
from course_lib.widgets.model_runs import sentence_of
from tools.notebooks.notebook_files import ROOT
from tools.site.broken import write
from tools.site.hero import HEADS, LAYERS
from tools.site.live_widgets import digest_of_library

SURPRISES = ROOT / "docs" / "surprises.json"
DRAWS, MOST_CHANGED = 20, 2
CHECKED = Path("build/site/surprises-checked.json")
EACH_BUILD = 8  # of them are measured again when the site is built: about 30 s of processor time
WANTED = 100
PER_SENTENCE = 4
EARLY = 3  # layers whose heads' gradients say little of what a run without them does
NEEDED = 18  # heads behind those, by their gradients
PROMISING = {2: 8, 3: 6}  # the number of heads that sets of so many are made of
TRIES = 8  # sets that are measured, of a sentence
LEAST = 0.25  # probability of the next token: below, any heads may change it
EVERY_HEAD: list[Head] = list(product(range(LAYERS), range(HEADS)))
COUNTRIES = (
    "Germany Italy Spain Russia China Japan Egypt Greece Portugal Poland Austria Hungary Norway "
    "Sweden Finland Denmark Ireland Turkey India Cuba Peru England Kenya Iran Iraq"
)
ADJECTIVES = "hot good big fast up black day open rich young left north war love true"
SENTENCES = """
The Eiffel Tower is in the city of
The Statue of Liberty is in New
The sun rises in the
The sun sets in the
The largest planet in the solar system is
The planet closest to the sun is
The largest ocean on Earth is the
The longest river in Africa is the
The highest mountain in the world is Mount
The first president of the United States was
The author of Hamlet is William
The author of Harry Potter is J.
Albert Einstein was a German-born theoretical
The chemical symbol for gold is
The chemical formula of water is
Water is made of hydrogen and
Water freezes at 0 degrees
Plants make their food by
The process by which plants make food is called
The heart pumps
The powerhouse of the cell is the
The force that pulls objects to the Earth is called
The study of living things is called
The study of stars is called
A year has twelve
A week has seven
A day has 24
An hour has sixty
A minute has sixty
A triangle has three
A square has four equal
A spider has eight
Dogs bark, cats
Bees make
Cows give
The color of the sky is
The color of grass is
The color of blood is
The color of snow is
The currency of Japan is the
The currency of the United States is the
The currency of Russia is the
The Great Wall of
The Declaration of
World War II ended in
The Second World War ended in the year
Neil Armstrong was the first man on the
The Mona Lisa was painted by Leonardo da
The theory of evolution was proposed by Charles
The laws of motion were described by Isaac
Barack Obama was the 44th President of the United
Microsoft was founded by Bill
The king and the
A young dog is called a
A young cat is called a
The plural of mouse is
The past tense of go is
The square root of 16 is
Two plus two is
2 + 2 =
10 - 3 =
Monday, Tuesday,
Thursday, Friday,
January, February,
October, November,
January, February, March, April,
Monday, Tuesday, Wednesday, Thursday,
Spring, summer, autumn and
north, south, east and
one two three four
one, two, three, four,
ten, nine, eight, seven,
first, second, third,
2, 4, 6, 8,
1, 2, 3, 4,
5, 10, 15, 20,
10, 20, 30, 40,
1, 1, 2, 3, 5,
A, B, C, D,
a b c d e
I, II, III,
Mercury, Venus, Earth,
red, orange, yellow, green,
do re mi fa
x, y and
blue cat red dog blue cat red
sun moon star sun moon star sun moon
apple pear plum apple pear plum apple
ab cd ef ab cd ef ab cd
To be or not to
Once upon a
Once upon a time, there was a
And they lived happily ever
An apple a day keeps the
Better late than
Practice makes
Time flies when you're having
Actions speak louder than
Rome was not built in a
The early bird catches the
A picture is worth a thousand
When in Rome, do as the Romans
Don't judge a book by its
Two wrongs don't make a
Honesty is the best
Knowledge is
Where there's a will, there's a
All that glitters is not
You can't have your cake and eat
The pen is mightier than the
Birds of a feather flock
Happy birthday to
Merry Christmas and a happy new
Mary had a little
Twinkle, twinkle, little
Humpty Dumpty sat on a
Row, row, row your
Roses are red, violets are
Romeo and
Ladies and
Bread and
Salt and
Once bitten, twice
Last but not
I came, I saw, I
The quick brown fox jumps over the lazy
Four score and seven years
I have a dream that one
We the People of the United
May the Force be with
Thank you very
Dear Sir or
Yours
For better or for
The lion, the witch and the
Snow White and the Seven
Alice's Adventures in
Beauty and the
He wanted to eat, so he went to the
She was thirsty, so she drank a glass of
It was raining, so he took his
He was tired, so he went to
Anna and Tom went home. Anna said to
When Mary and John went to the store, John gave a drink to
The keys to the old cabinet
The dogs in the yard
My name is Anna. Your name is Tom. My name is
Tom has a red car. Anna has a blue car. Tom's car is
Paris is in France. Rome is in Italy. Berlin is in
Paris is in France. Madrid is in
hot: cold, up: down, big:
king: queen, man: woman, boy:
cat: cats, dog: dogs, house:
dog -> dogs, cat -> cats, bird ->
uno, dos,
un, deux,
eins, zwei,
Bonjour means hello, and merci means
import numpy as
import pandas as
import matplotlib.pyplot as
for i in range(10
for i in range(
def add(a, b): return a +
def square(x): return x *
if __name__ ==
print("Hello,
while True:
try: x = 1 except
SELECT * FROM users
<html><head><title>Hello</title></head>
class Dog: def __init__(self
x = 1; y = 2; print(x +
#include <stdio.h> int
{"name": "Anna", "age":
https://www.
"""
TEXTS = (
    *(f"The opposite of {word} is" for word in ADJECTIVES.split()),
    *SENTENCES.strip().splitlines(),
    *(f"The capital of {country} is" for country in COUNTRIES.split()),
    *(f"The language spoken in {country} is" for country in COUNTRIES.split()),
)


def candidates(model: DecoderLM, tokens: torch.Tensor) -> list[Head]:
    """Return the heads that the likeliest next token may need.

    Each head's output is multiplied by a gate, which is 1: the gradient of the token's log
    probability at the gate says what closing it costs.
    """
    gates = torch.ones(LAYERS, HEADS, requires_grad=True)
    with ExitStack() as hooks:
        for layer, heads in enumerate(find_heads(model)):
            gate = gates[layer].repeat_interleave(heads.head_dim)
            hook = heads.output_map.register_forward_pre_hook(
                lambda _, inputs, gate=gate: inputs[0] * gate
            )
            hooks.callback(hook.remove)
        logits, _ = model(tokens, logits_to_keep=1)
        logits[0, -1].log_softmax(-1).max().backward()
    needs = cast(torch.Tensor, gates.grad)[EARLY:].flatten().topk(NEEDED).indices + EARLY * HEADS
    return [EVERY_HEAD[i] for i in (*range(EARLY * HEADS), *needs.tolist())]


def words_of(tokenizer, tokens: torch.Tensor) -> list[str]:
    return sentence_of(lambda token: tokenizer.decode([token], skip_special_tokens=False), tokens)


def measured(
    model: DecoderLM, tokenizer, text: str, sets: Sequence[Sequence[Head]]
) -> Iterator[dict]:
    """Return what is written with all heads and without each set, and what 20 draws change.

    A draw changes nothing where, behind each token that was written with all heads, the next one is
    the likeliest. "next" is the likeliest token: its probability with all heads, without these, and
    by chance.
    """
    tokens, _ = encode(tokenizer, text)
    written, first = write(model, tokens, [[], *sets])
    before, *afters = (words_of(tokenizer, line) for line in written)
    likeliest = int(first[0].argmax())
    read = torch.cat((tokens[0], written[0, : len(before)])).expand(DRAWS, -1)
    for off, after, without in zip(sets, afters, first[1:], strict=True):
        free = [head for head in EVERY_HEAD if head not in off]
        draws = [others_like(off, free, draw) for draw in range(DRAWS)]
        with torch.no_grad(), ablate_by_row([by_attention(model, draw) for draw in draws]):
            logits, _ = model(read, logits_to_keep=len(before) + 1)
        by_chance = logits[:, 0].softmax(dim=-1)[:, likeliest].mean()
        follows = [
            words_of(tokenizer, line) for line in logits.argmax(dim=-1)[:, : written.shape[1]]
        ]
        yield {
            "text": text,
            "off": [list(head) for head in off],
            "before": "".join(before),
            "after": "".join(after),
            "same": follows.count(before),
            "of": DRAWS,
            "next": [
                spelt_out(tokenizer.decode([likeliest])),
                *(round(p.item(), 4) for p in (first[0, likeliest], without[likeliest], by_chance)),
            ],
        }


def found_in(model: DecoderLM, tokenizer, text: str) -> list[dict]:
    """Return what sets of a few heads change in one sentence, where chance changes nothing."""
    tokens, _ = encode(tokenizer, text)
    _, (with_all,) = write(model, tokens, [[]], 1)
    likeliest = with_all.argmax()
    if with_all[likeliest] < LEAST:
        return []
    heads = candidates(model, tokens)
    _, alone = write(model, tokens, [[head] for head in heads], 1)
    heads = [heads[i] for i in alone[:, likeliest].argsort().tolist()]
    kept: dict[str, dict] = {}  # by what is written
    for size, number in PROMISING.items():
        sets = [sorted(some) for some in combinations(heads[:number], size)]
        first, without = write(model, tokens, sets, 1)
        order = without[:, likeliest].argsort().tolist()
        breaking = [sets[i] for i in order if first[i, 0] != likeliest]
        for found in measured(model, tokenizer, text, breaking[:TRIES]) if breaking else ():
            is_other = found["after"].strip() and found["after"] != found["before"]
            if is_other and found["same"] >= DRAWS - MOST_CHANGED:
                kept.setdefault(found["after"], found)
            if len(kept) == PER_SENTENCE:
                break
        if kept:
            break
    return list(kept.values())


def holds(model: DecoderLM, tokenizer, stored: dict) -> bool:
    """Whether what is stored is what the model does; a probability may differ by 0.002."""
    off = [(layer, head) for layer, head in stored["off"]]
    (again,) = measured(model, tokenizer, stored["text"], [off])
    token, *shares = stored["next"]
    there, *found = again["next"]
    near = max(abs(a - b) for a, b in zip(shares, found, strict=True)) <= 2e-3
    return there == token and near and again | {"next": []} == stored | {"next": []}


def check_some(root: Path) -> None:
    """Measure some again when the site is built: others each time, until model and code change.

    Raises:
        ValueError: the model does something else than what is stored.
    """
    kept = root / CHECKED
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else []
    code = SMOLLM2.sha256 + digest_of_library(root) + Path(__file__).read_text(encoding="utf-8")
    waiting = {}
    for one in json.loads((root / SURPRISES.relative_to(ROOT)).read_text(encoding="utf-8")):
        digest = hashlib.sha256((code + json.dumps(one)).encode()).hexdigest()
        if digest not in known:
            waiting[digest] = one
    chosen = random.Random(len(waiting)).sample(sorted(waiting), min(EACH_BUILD, len(waiting)))
    if not chosen:
        return
    model, tokenizer = load_smollm2()
    for digest in chosen:
        if not holds(model, tokenizer, one := waiting[digest]):
            raise ValueError(f"{SURPRISES.name}: {one['text']!r} without {one['off']} is not so")
    kept.write_text(json.dumps([*known, *chosen]), encoding="utf-8")


def stored(entries: Sequence[dict]) -> str:
    """Return the file's text: a line for each."""
    return "[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries) + "\n]\n"


def main() -> int:
    model, tokenizer = load_smollm2()
    model.requires_grad_(False)
    found = json.loads(SURPRISES.read_text(encoding="utf-8"))
    known = {one["text"] for one in found}
    for text in (text for text in TEXTS if text not in known):
        if len(found) >= WANTED:
            break
        found += found_in(model, tokenizer, text)
        SURPRISES.write_text(stored(found), encoding="utf-8")
        print(f"{len(found)} found, {text!r} tried", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
