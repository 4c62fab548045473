"""Few heads that break a sentence where others do not: docs/surprises.json.

    python -m tools.site.surprises

Of the heads that SmolLM2's next word needs most, by its gradient and then by a run without each of
them alone, all pairs are tried; where no pair does it, sets of three, then of four. Those stay that
make it write something else, while at least 18 of 20 draws of as many other heads of the same
layers change nothing. "Surprise me" on the page "Break the model" shows one of them. Of each of
their sentences the effects of all 270 heads are stored too, each off alone. What is stored stays,
and sentences of which nothing is stored are tried, until there are enough. The site's build
measures some again, and the nightly tests all.
"""

import hashlib
import json
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import combinations, product
from pathlib import Path
from typing import cast

import torch

from course_lib.data.real_model import SMOLLM2, encode, load_smollm2
from course_lib.model.language_model import DecoderLM
from course_lib.study.ablation import Head, by_attention, others_like
from course_lib.study.head_outputs import ablate_by_row
from course_lib.study.head_places import find_heads
from course_lib.widgets.model_runs import likeliest, sentence_of
from tools.notebooks.notebook_files import ROOT
from tools.site.broken import TOP, decoder, packed_effects, write
from tools.site.hero import HEADS, LAYERS
from tools.site.live_widgets import digest_of_library

SURPRISES = Path("docs/surprises.json")
DRAWS, MOST_CHANGED = 20, 2
AT_ONCE = 5  # draws; what too many of them change is not measured further
CHECKED = Path("build/site/surprises-checked.json")
EACH_BUILD = 4  # of them are measured again when the site is built: about 20 s of processor time
WANTED = 100
PER_SENTENCE = 3
EARLY = 3  # layers whose heads' gradients say little of what a run without them does
NEEDED = 18  # heads behind those, by their gradients
PROMISING = {2: 8, 3: 6, 4: 6}  # the number of heads that sets of so many are made of
TRIES = 10  # sets that are measured, of a sentence
LEAST = 0.25  # probability of the next token: below, any heads may change it
LEAD = 0.03  # of each token that is written, over the next likely one: below, draws change it
EVERY_HEAD: list[Head] = list(product(range(LAYERS), range(HEADS)))
SENTENCES = Path(__file__).with_name("sentences_to_break.txt").read_text("utf-8").splitlines()


def read_surprises(root: Path = ROOT) -> dict:
    """Return what is stored: of each sentence the effects of all heads, and what was found."""
    return json.loads((root / SURPRISES).read_text(encoding="utf-8"))


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
    return sentence_of(decoder(tokenizer), tokens)


def effects_in(model: DecoderLM, tokenizer, text: str) -> str:
    """Return what each head does alone in one sentence, as ``packed_effects`` does."""
    tokens, _ = encode(tokenizer, text)
    _, first = write(model, tokens, [[], *([head] for head in EVERY_HEAD)], 1)
    return packed_effects(first[0], first[1:])


def measured(
    model: DecoderLM, tokenizer, text: str, sets: Sequence[Sequence[Head]]
) -> Iterator[dict]:
    """Yield what is written with all heads and without each set, and what 20 draws change.

    A draw changes nothing where, behind each token that was written with all heads, the next one is
    the likeliest. "next" is what ``likeliest`` returns of the first token. Sets beside which too
    many draws change something are left out.
    """
    tokens, _ = encode(tokenizer, text)
    written, first = write(model, tokens, [[], *sets])
    before, *afters = (words_of(tokenizer, line) for line in written)
    read = torch.cat((tokens[0], written[0, : len(before)])).expand(AT_ONCE, -1)
    for off, after, without in zip(sets, afters, first[1:], strict=True):
        free = [head for head in EVERY_HEAD if head not in off]
        follows: list[list[str]] = []
        shares: list[torch.Tensor] = []
        while len(follows) < DRAWS and len(follows) - follows.count(before) <= MOST_CHANGED:
            draws = [others_like(off, free, len(follows) + draw) for draw in range(AT_ONCE)]
            with torch.no_grad(), ablate_by_row([by_attention(model, draw) for draw in draws]):
                logits, _ = model(read, logits_to_keep=len(before) + 1)
            shares.append(logits[:, 0].softmax(dim=-1))
            follows += [
                words_of(tokenizer, line) for line in logits.argmax(dim=-1)[:, : written.shape[1]]
            ]
        if len(follows) - follows.count(before) > MOST_CHANGED:
            continue
        yield {
            "text": text,
            "off": [list(head) for head in off],
            "before": "".join(before),
            "after": "".join(after),
            "same": follows.count(before),
            "of": DRAWS,
            "next": likeliest(decoder(tokenizer), first[0], without, torch.cat(shares), TOP),
        }


def found_in(model: DecoderLM, tokenizer, text: str) -> list[dict]:
    """Return what sets of a few heads change in one sentence, where chance changes nothing."""
    tokens, _ = encode(tokenizer, text)
    written, (with_all,) = write(model, tokens, [[]])
    expected = with_all.argmax()
    with torch.no_grad():
        logits, _ = model(torch.cat((tokens, written), dim=1), logits_to_keep=written.shape[1] + 1)
    first, second = (
        logits[0].softmax(dim=-1).topk(2).values[: len(words_of(tokenizer, written[0])) + 1].T
    )
    if with_all[expected] < LEAST or (first - second).min() < LEAD:
        return []
    heads = candidates(model, tokens)
    _, alone = write(model, tokens, [[head] for head in heads], 1)
    heads = [heads[i] for i in alone[:, expected].argsort().tolist()]
    kept: dict[str, dict] = {}  # by what is written
    for size, number in PROMISING.items():
        sets = [sorted(some) for some in combinations(heads[:number], size)]
        first, without = write(model, tokens, sets, 1)
        order = without[:, expected].argsort().tolist()
        breaking = [sets[i] for i in order if first[i, 0] != expected]
        if not breaking:
            continue
        for surprise in measured(model, tokenizer, text, breaking[:TRIES]):
            before, after = surprise["before"].strip(), surprise["after"].strip()
            if before and after and after != before:
                kept.setdefault(surprise["after"], surprise)
            if len(kept) == PER_SENTENCE:
                break
        break  # more heads by chance would change more
    return list(kept.values())


def holds(model: DecoderLM, tokenizer, stored: dict) -> bool:
    """Whether what is stored is what the model does.

    A probability may differ by 0.002, and so the least likely token may be another one.
    """
    off = [(layer, head) for layer, head in stored["off"]]
    again = next(measured(model, tokenizer, stored["text"], [off]), None)
    if again is None:
        return False
    there, here = ({token: shares for token, *shares in one["next"]} for one in (stored, again))
    both = there.keys() & here.keys()
    pairs = (pair for token in both for pair in zip(there[token], here[token], strict=True))
    is_near = all(abs(a - b) <= 2e-3 for a, b in pairs) and len(both) >= len(there) - 1
    return is_near and again | {"next": []} == stored | {"next": []}


def check_some(root: Path) -> None:
    """Measure some again when the site is built: others each time, until model and code change.

    Raises:
        ValueError: the model does something else than what is stored.
    """
    kept = root / CHECKED
    known = json.loads(kept.read_text(encoding="utf-8")) if kept.is_file() else []
    code = SMOLLM2.sha256 + digest_of_library(root) + Path(__file__).read_text(encoding="utf-8")
    waiting = {}
    for entry in read_surprises(root)["found"]:
        digest = hashlib.sha256((code + json.dumps(entry)).encode()).hexdigest()
        if digest not in known:
            waiting[digest] = entry
    chosen = random.Random(len(waiting)).sample(sorted(waiting), min(EACH_BUILD, len(waiting)))
    if not chosen:
        return
    model, tokenizer = load_smollm2()
    for digest in chosen:
        entry = waiting[digest]
        if not holds(model, tokenizer, entry):
            what = f"{entry['text']!r} without {entry['off']}"
            raise ValueError(f"{SURPRISES.name}: {what} is not so")
    kept.write_text(json.dumps([*known, *chosen]), encoding="utf-8")


def file_text(effects: dict[str, str], found: Sequence[dict]) -> str:
    """Return the file's text: a line for the effects in each sentence, and for each surprise."""
    dump = partial(json.dumps, ensure_ascii=False)
    lines = ",\n".join(f"{dump(text)}: {dump(packed)}" for text, packed in effects.items())
    entries = ",\n".join(map(dump, found))
    return f'{{"effects": {{\n{lines}\n}}, "found": [\n{entries}\n]}}\n'


def main() -> int:
    model, tokenizer = load_smollm2()
    model.requires_grad_(False)
    effects, found = read_surprises().values()
    texts = random.Random(WANTED).sample(SENTENCES, len(SENTENCES))
    for text in (text for text in texts if text not in effects):
        if len(found) >= WANTED:
            break
        if new := found_in(model, tokenizer, text):
            effects[text] = effects_in(model, tokenizer, text)
            found += new
            (ROOT / SURPRISES).write_text(file_text(effects, found), encoding="utf-8")
        print(f"{len(found)} found, {text!r} tried", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
