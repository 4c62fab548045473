"""SmolLM2 in a browser: the same model and tokenizer as in Python, fetched once."""

import base64
import json
import random
from contextlib import ExitStack, contextmanager

import pytest
import torch

from course_lib.data.real_model import encode, load_smollm2
from course_lib.study.ablation import by_attention, outputs_on, run
from course_lib.study.head_places import heads_of
from half_sent import SendsHalf
from tools.notebooks.notebook_files import ROOT
from tools.site import lab_in_browser, model_in_browser
from tools.site.build_site import with_policy
from tools.site.local_server import served

# By day, test_break_page.py has the page write one sentence with it.
pytestmark = [pytest.mark.needs_real_model, pytest.mark.nightly]

PAGE = """<!doctype html><head><title>engine</title></head><script type="module">
import { Cancelled, Engine } from "./src/breaker/engine.js";
const engine = new Engine("breaker/");
const base64 = (floats) => {
    const bytes = new Uint8Array(floats.buffer);
    let text = "";
    for (let i = 0; i < bytes.length; i += 8192)
        text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(text);
};
const collect = async (steps) => {
    const all = [];
    for await (const one of steps) all.push(one);
    return all;
};
Object.assign(window, { Cancelled, engine, base64, collect });
</script>"""
COUNTRIES = ("France", "Italy", "Japan", "Peru", "Egypt", "Kenya", "Norway", "Canada", "Cuba")
NOUNS = ("key", "keys", "man", "women", "dog", "birds", "teacher", "boys", "glass", "roads")
NAMES = ("John", "Anna", "Peter", "Tom", "Ruth", "Paul", "Eve", "Max", "Kim", "Joe", "Lee")
COLOURS = ("green", "black", "white", "pink", "gray")
PROMPTS = [
    *(f"The capital of {country} is" for country in COUNTRIES),
    *(f"The {noun} near the old cabinets" for noun in NOUNS),
    *(f"{name} gave a book to Mary, and then {name} said that" for name in NAMES),
    *(f"red blue {colour} red blue" for colour in COLOURS),
    *(f"1, 2, 3, {number}," for number in (4, 5, 8, 40, 100)),
    "The old man and the sea. " * 18,  # about as long as it may be
    "def add(a, b):\n    return a",
    "Water boils at a temperature of",
    "naïve café, 日本語 and 😀",
    "Dear Sir or Madam,\n\nI am writing",
    "The opposite of hot is",
    "<|im_start|>user\nWho are you?<|im_end|>\n<|im_start|>assistant\n",
    "My name is Clara and I live in",
    "   two  spaces\t\ttabs",
    "A",
]


@pytest.fixture(scope="module")
def python():
    return load_smollm2()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A site that has only the engine."""
    site = tmp_path_factory.mktemp("site")
    (site / "index.html").write_text(with_policy(PAGE), encoding="utf-8")
    (site / "src").symlink_to(ROOT / "widgets_js" / "src")
    (site / "breaker").mkdir()
    for name, content in model_in_browser.model_files(ROOT).items():
        (site / "breaker" / name).write_bytes(content)
    return site


class Handler(SendsHalf):
    """Serves a folder, writes down what was asked for, and can break in the middle of a file."""

    def do_GET(self):
        self.server.asked.append(self.path)
        if self.path != self.server.breaks_at:
            return super().do_GET()
        self.send_half()
        self.close_connection = True


@contextmanager
def opened(browser, folder):
    """A page with an engine that has loaded nothing yet, and its server."""
    with served(folder, Handler) as (address, server):
        server.asked, server.breaks_at = [], None
        context, elsewhere = browser.new_context(), []
        context.on("request", lambda request: elsewhere.append(request.url))
        page = context.new_page()
        page.goto(address)
        page.wait_for_function("window.engine")
        try:
            yield page, server
            assert [url for url in elsewhere if not url.startswith(address)] == []
        finally:
            context.close()


@pytest.fixture(scope="module")
def loaded(browser, folder):
    """The page with the model, without a network."""
    with opened(browser, folder) as (page, _):
        page.facts = page.evaluate("engine.load()")
        page.context.set_offline(True)
        yield page


def floats(text, *shape):
    return torch.frombuffer(bytearray(base64.b64decode(text)), dtype=torch.float32).view(shape)


def in_browser(page, ids, changes=(), other_ids=None):
    """Logits after the last token, weights of all heads, and the layer that was begun at."""
    script = """async ([ids, changes, otherIds]) => {
        const {logits, weights, from} = await engine.run(ids, {changes, otherIds, maps: true});
        return [base64(logits), base64(weights), from];
    }"""
    arguments = [ids, list(changes), *([other_ids] if other_ids else [])]
    logits, weights, start = page.evaluate(script, arguments)
    return floats(logits, -1), floats(weights, 30, 9, len(ids), len(ids)), start


def written(page, ids, **options):
    return page.evaluate("([ids, o]) => collect(engine.write(ids, o))", [ids, options])


def close(actual, expected, atol):
    torch.testing.assert_close(actual, expected, atol=atol, rtol=0)


def some_heads(lots, count):
    return lots.sample([(layer, head) for layer in range(30) for head in range(9)], count)


def test_50_prompts_have_the_logits_and_weights_of_python_with_and_without_heads(loaded, python):
    model, tokenizer = python
    lots, largest, smallest_change = random.Random(0), 0.0, 100.0
    assert len(PROMPTS) == len(set(PROMPTS)) == 50
    for text in PROMPTS:
        ids, _ = encode(tokenizer, text)
        intact = None
        for off in ((), some_heads(lots, lots.choice([1, 3, 20]))):
            logits, weights = run(model, ids, off)
            found, maps, _ = in_browser(loaded, ids[0].tolist(), off)
            largest = max(largest, (found - logits[0, -1]).abs().max().item())
            close(maps, torch.cat(weights), 5e-3)
            assert found.argmax() == logits[0, -1].argmax(), (text, off)
            if off:
                smallest_change = min(smallest_change, (found - intact).abs().max().item())
            intact = found
    print(f"largest difference of a logit: {largest:.4f}; smallest change: {smallest_change:.2f}")
    assert largest < 0.05 < smallest_change


# Pairs of as many tokens, for patches.
TWINS = [
    ("The capital of Italy is", "The capital of Japan is"),
    ("The capital of France is", "The capital of Spain is"),
    ("The keys to the old cabinet", "The key to the old cabinets"),
    ("Anna lost her keys, so Tom gave", "Tom lost his keys, so Anna gave"),
    ("blue cat red dog blue cat red", "blue cat red sun blue cat red"),
    ("One apple, two pears, three", "Two apples, one pear, six"),
    ("The opposite of hot is", "The opposite of good is"),
    ("Water boils at a temperature of", "Water freezes at a temperature of"),
    ("Monday, Tuesday,", "Friday, Saturday,"),
    ("My name is Clara and I live in", "My name is Peter and I work in"),
]


@contextmanager
def at_gain(model, heads, gain):
    """While the block runs, these heads of Python's model speak so many times as loud."""
    with ExitStack() as hooks:
        for attention, numbers in by_attention(model, heads).items():

            def louder(_, inputs, numbers=numbers):
                (joined,) = inputs
                joined = joined.clone().unflatten(-1, (9, -1))
                joined[..., numbers, :] *= gain
                return joined.flatten(-2)

            hook = heads_of(attention).output_map.register_forward_pre_hook(louder)
            hooks.callback(hook.remove)
        yield


def test_ten_prompts_off_scaled_and_patched_have_the_probabilities_of_python(loaded, python):
    model, tokenizer = python
    lots, largest, smallest = random.Random(1), 0.0, 1.0
    for text, other in TWINS:
        ids, other_ids = (encode(tokenizer, one)[0] for one in (text, other))
        assert ids.shape == other_ids.shape, (text, other)
        heads = [(23, 4), *some_heads(lots, 2)]
        expected = {(): run(model, ids)[0], "off": run(model, ids, heads)[0]}
        for gain in (0.3, 2.0):
            with at_gain(model, heads, gain):
                expected[gain] = run(model, ids)[0]
        expected["patched"] = run(model, ids, heads, outputs_on(model, other_ids))[0]
        intact = expected[()][0, -1].softmax(-1)
        for change, logits in expected.items():
            p = logits[0, -1].softmax(-1)
            gain = {(): 1, "off": 0, "patched": 1}.get(change, change)
            changes = [[*head, gain] for head in heads] if change else []
            source = other_ids[0].tolist() if change == "patched" else None
            found, _, _ = in_browser(loaded, ids[0].tolist(), changes, source)
            largest = max(largest, (found.softmax(-1) - p).abs().max().item())
            if change:
                smallest = min(smallest, (p - intact).abs().max().item())
    print(f"largest difference {100 * largest:.3f} points; smallest change {100 * smallest:.3f}")
    assert largest < 1e-3 < smallest


def test_effects_are_those_of_each_head_alone_and_the_largest_come_early(loaded, python):
    model, tokenizer = python
    ids, _ = encode(tokenizer, "The capital of Italy is")
    heads = [(layer, head) for layer in range(1, 30, 4) for head in range(9)]
    script = """async ([ids, heads]) => {
        const seen = [];
        await engine.effects(ids, {heads}, (effect) => seen.push(effect));
        return seen;
    }"""
    seen = loaded.evaluate(script, [ids[0].tolist(), heads])
    assert sorted(tuple(row["head"]) for row in seen) == heads
    whole = run(model, ids)[0][0, -1].softmax(-1)
    left = {head: run(model, ids, [head])[0][0, -1].softmax(-1) for head in heads}
    expected = {head: ((p - whole).abs().sum() / 2).item() for head, p in left.items()}
    far = max(abs(row["effect"] - expected[tuple(row["head"])]) for row in seen)
    order = [tuple(row["head"]) for row in seen]
    largest = sorted(heads, key=lambda head: -expected[head])[:8]
    early = sum(head in order[:24] for head in largest)  # a third of them
    print(f"effects differ by at most {far:.5f}; {early} of the 8 largest are in the first third")
    assert far < 1e-3 and early >= 5


def test_a_graphics_processor_computes_the_same(browser, folder, python, loaded):
    """In software, which is slow: a page takes it only where it is told to."""
    assert loaded.facts["noGpu"] == "this device offers no graphics processor to WebGPU"
    model, tokenizer = python
    executable, graphics = lab_in_browser.find_chromium(), lab_in_browser.SOFTWARE_GPU
    chromium = lab_in_browser.launch_chromium(browser.browser_type, executable, graphics)
    with opened(chromium, folder) as (page, _):
        if not page.evaluate("navigator.gpu.requestAdapter().then(one => one !== null)"):
            pytest.skip("this Chromium has no WebGPU, not even in software")
        assert page.evaluate("engine.load(() => 0, true)")["noGpu"] == ""
        ids, _ = encode(tokenizer, PROMPTS[0])
        for off, start in (((), 30), (((11, 7), (23, 4)), 11)):
            logits, weights = run(model, ids, off)
            found, maps, begun = in_browser(page, ids[0].tolist(), off)
            assert (found - logits[0, -1]).abs().max() < 0.05
            assert found.argmax() == logits[0, -1].argmax() and begun == start
            close(maps, torch.cat(weights), 5e-3)
        other, off = encode(tokenizer, TWINS[1][1])[0], [(11, 7), (23, 4)]
        for gain, instead in ((1, outputs_on(model, other)), (0.5, None)):
            with at_gain(model, off if instead is None else [], gain):
                logits, _ = run(model, ids, off if instead else (), instead)
            source = other[0].tolist() if instead else None
            found, _, _ = in_browser(page, ids[0].tolist(), [[*head, gain] for head in off], source)
            assert (found - logits[0, -1]).abs().max() < 0.05
        (step,) = written(page, ids[0].tolist(), maxNew=1)
        assert step["id"] == run(model, ids)[0][0, -1].argmax()
    chromium.close()


def odd_lines(number):
    lots = random.Random(43)
    pieces = [
        *" \t\r\n\v\f\x1c\x85\xa0\u1680\u2003\u2028\u202f\u3000\ufeff\u200b\u200d\x00\x07\x7f\xad",
        *"'\"-_.,;:!?()[]{}<>|/\\@#$%^&*+=~`§¬€…—“”",
        *"0123456789٣߅५½²Ⅷ㊿〇𝟘",
        *"aàáâäåāłßſKÅéñøπЖжאבעربहिन्दीไทย日本語한국어\u0301\u0308𝔘𐐷ǅﬁİıΣς",
        *"😀👍🏽🇫🇷\u20e3\ufe0f👩",
        *("👩‍👩‍👧", "'s", "'LL", "'ll", "'re", "don't", " the", "  the", "Hello", " world"),
        *("<|im_end|>", "<|im_start|>", "<|endoftext|>", "<|im_", "<repo_name>", "<|", "|>"),
        *("\U000e0001", "\U0010ffff", "\ue000", "\ufffd", "\u0378", "\r\n", "    ", "12,345.67"),
    ]
    lines = ["".join(lots.choices(pieces, k=lots.randint(0, 30))) for _ in range(number - 1)]
    return [*lines, "".join(pieces)]


def test_the_tokenizer_is_that_of_python_on_1000_odd_lines(loaded, python):
    _, tokenizer = python
    lines = odd_lines(1000)
    expected = [tokenizer.encode(line).ids for line in lines]
    found = loaded.evaluate("lines => lines.map(line => engine.encode(line))", lines)
    for line, ours, theirs in zip(lines, found, expected, strict=True):
        assert ours == theirs, line
    lots = random.Random(44)
    cut = [ids[lots.randint(0, 3) : -1] for ids in expected]  # also inside a character
    cut += [lots.choices(range(49152), k=12) for _ in range(200)]
    texts = loaded.evaluate("all => all.map(ids => engine.decode(ids))", cut)
    for ids, text in zip(cut, texts, strict=True):
        assert text == tokenizer.decode(ids), ids


@pytest.mark.parametrize("off", [(), ((18, 6), (2, 3))])
def test_writing_with_a_cache_is_running_the_whole_text_again(loaded, python, off):
    model, tokenizer = python
    ids = tokenizer.encode("My favourite season is").ids
    steps = written(loaded, ids, maxNew=6, changes=off)
    assert len(steps) == 6
    for step in steps:
        logits, _ = run(model, torch.tensor([ids]), off)
        p = logits[0, -1].softmax(-1)
        assert [token["id"] for token in step["probabilities"]] == p.topk(5).indices.tolist()
        close(torch.tensor([token["p"] for token in step["probabilities"]]), p.topk(5).values, 2e-3)
        assert step["id"] == p.argmax() and step["text"] == tokenizer.decode([step["id"]])
        ids = [*ids, step["id"]]
    draft = [step["id"] for step in steps]
    draft[3] = 5  # a wrong guess changes nothing
    assert written(loaded, ids[:-6], maxNew=6, changes=off, draft=draft) == steps


def test_temperature_draws_by_the_seed(loaded, python):
    ids = python[1].encode("The weather").ids
    options = {"maxNew": 5, "temperature": 1}
    texts = [written(loaded, ids, seed=seed, **options) for seed in (1, 2, 3, 1, 2, 3)]
    assert len({tuple(step["id"] for step in steps) for steps in texts}) == 3


def test_a_control_draws_other_heads_waits_for_others_and_can_be_cancelled(loaded, python):
    ids, off = python[1].encode("The capital of France is").ids, [[18, 6], [2, 3]]
    script = """async ([ids, changes, draws, cancel]) => {
        const seen = [];
        const options = {changes, draws, maxNew: 3, seed: 5, watch: [7, 7042]};
        const asked = engine.control(ids, options, one => seen.push(one));
        if (cancel) setTimeout(() => engine.cancel());
        else await engine.run(ids);
        const before = seen.length;
        return [await asked.catch(error => error instanceof Cancelled), seen, before];
    }"""
    draws, seen, before = loaded.evaluate(script, [ids, off, 4, False])
    assert draws == seen and before == 0 and [draw["index"] for draw in draws] == [0, 1, 2, 3]
    whole = [step["id"] for step in written(loaded, ids, maxNew=3)]
    for draw in draws:
        assert len({tuple(head) for head in draw["heads"]}) == 2
        assert not any(head in off for head in draw["heads"])
        assert sorted(layer for layer, _ in draw["heads"]) == [2, 18]  # the layers of those off
        alone = [step["id"] for step in written(loaded, ids, maxNew=3, changes=draw["heads"])]
        p = run(python[0], torch.tensor([ids]), draw["heads"])[0][0, -1].softmax(-1)
        close(torch.tensor(draw["chances"]), p[[7, 7042]], 2e-3)
        assert draw["ids"] == alone and draw["changed"] == (alone != whole)
    assert len({json.dumps(draw["heads"]) for draw in draws}) == 4
    cancelled, seen, _ = loaded.evaluate(script, [ids, off, 20, True])
    assert cancelled is True and len(seen) < 20


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("run([])", "there must be 1 to 128 tokens, got 0"),
        ("run(Array(129).fill(1))", "there must be 1 to 128 tokens, got 129"),
        ("run([49152])", "there is no token 49152"),
        ("run([1, 2], {changes: [[0, 0, 1]], otherIds: [1]})", "as many tokens, got 2 and 1"),
        ("run([1], {changes: [[30, 0]]})", "there is no head 0 in layer 30"),
    ],
)
def test_what_cannot_be_computed_is_said_in_words(loaded, call, message):
    assert loaded.evaluate(f"engine.{call}.catch(error => error.message)").endswith(message)


def test_parts_are_fetched_once_also_after_a_break(browser, folder):
    manifest = json.loads((folder / "breaker" / "manifest.json").read_text())
    parts = [f"/breaker/{part['name']}" for part in manifest["parts"]]
    assert manifest["bytes"] < 110e6 and all(part["bytes"] < 100e6 for part in manifest["parts"])
    with opened(browser, folder) as (page, server):
        server.breaks_at = parts[2]
        load = "engine.load(p => window.last = p).then(() => 'ok', error => error.message)"
        assert page.evaluate(load) != "ok"
        assert [path for path in server.asked if path in parts] == parts[:3]
        server.breaks_at, server.asked[:] = None, []
        assert page.evaluate(load) == "ok"
        assert [path for path in server.asked if path in parts] == parts[2:]
        assert page.evaluate("last") == {"loaded": manifest["bytes"], "total": manifest["bytes"]}
        page.reload()
        page.wait_for_function("window.engine")
        server.asked[:] = []
        assert page.evaluate(load) == "ok" and not set(server.asked) & set(parts)


def test_a_site_without_the_model_says_so(browser, folder, tmp_path, monkeypatch, capsys):
    def no_network(_):
        raise ConnectionError("no package index could be reached")

    built = [path for path in (folder / "breaker").iterdir() if path.suffix in (".js", ".wasm")]
    code = {path.name: path.read_bytes() for path in built}
    monkeypatch.setattr(model_in_browser, "code", lambda _: code)
    monkeypatch.setattr(model_in_browser, "fetch", no_network)
    files = model_in_browser.model_files(ROOT)
    programs = {f"{name}.js" for name in ("bets", "page", "service_worker", "worker")}
    assert set(files) == programs | {"kernel.wasm", "surprises.json"}
    assert "without SmolLM2" in capsys.readouterr().err
    for name in ("index.html", "src"):
        (tmp_path / name).symlink_to(folder / name)
    (tmp_path / "breaker").mkdir()
    for name, content in files.items():
        (tmp_path / "breaker" / name).write_bytes(content)
    with opened(browser, tmp_path) as (page, _):
        said = page.evaluate("engine.load().catch(error => error.message)")
        assert said == "this site was built without the model"
