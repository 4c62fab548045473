// "Break the model": the board of the 270 heads of SmolLM2, which this browser runs itself.
import { makeBoard } from "../board/board.js";
import { SCORES } from "../board/view.js";
import { namesOf } from "../board/words.js";
import { slider } from "../shared/controls.js";
import { button, make, widgetRoot } from "../shared/elements.js";
import { followPage } from "../shared/page.js";
import { fromHash, toHash } from "./link.js";
import { WRITING } from "./live.js";
import { loading } from "./loading.js";
import { drawPicture } from "./picture.js";
import { HEADS, LAYERS, makeStored } from "./stored.js";

const COUNT = LAYERS * HEADS, MOST_TEXT = 200, EFFECT = Object.keys(SCORES)[0];
const TEXTS = [
  ["a capital", "The capital of France is", "Which heads carry Paris to the end of the sentence?"],
  ["an induction", "Mr Zorvle met Anna. Anna greeted Mr Z", "Light the heads by induction, and take the brightest away: who copies the name?"],
  ["an agreement", "The keys to the old cabinet", "The verb must agree with keys, not with cabinet."],
  ["a pronoun", "Anna lost her keys, so Tom gave", "Whom does Tom give something?"],
  ["a list", "One apple, two pears, three", "What comes after one and two, and what after the comma?"],
  ["a repeat", "blue cat red dog blue cat red", "Nothing but the repeat says what comes next."],
];

/**
 * @param {HTMLElement} el
 * @param {import("./stored.js").Sent} sent
 * @param {{isFront: boolean, base: string, bytes: number}} options
 */
export function mountBreak(el, sent, { isFront, base, bytes }) {
  const stored = makeStored(sent), { long } = namesOf(HEADS);
  /** @type {ReturnType<typeof import("./live.js").makeLive> | null} */
  let live = null;
  const asked = fromHash(location.hash);
  const kept = asked && (!isFront || stored.view(asked.text, asked.off)) ? asked : { text: stored.text, off: stored.opening, temperature: 0, seed: 0 };
  let score = EFFECT, doing = "", reserved = "";
  const state = { ...kept, chosen: kept.off.at(-1) ?? 0,
    get score() {
      return score;
    },
    set score(name) {
      score = name;
      if (live && name === EFFECT && view.scores[name]?.includes(null) !== false) read();
    } };

  const root = widgetRoot(el, "Break the model");
  root.classList.add("break");
  const board = makeBoard({ layers: LAYERS, heads: HEADS, scores: SCORES, state, isFree: () => live !== null, remark,
    ask({ text, off }) {
      Object.assign(state, { text, off });
      history.replaceState(null, "", toHash(state));
      read();
    },
    pressed(i) {
      const before = state.text === stored.text ? state.off : [], off = stored.pressed(before, i);
      if (before.some((one) => one !== i && !off.includes(one))) window.setTimeout(() => tell(`Before the model is loaded, only ${long(stored.main)} and one other head can be off.`));
      return { text: stored.text, off };
    } });
  const stop = button("stop", () => {
    live?.stop();
    doing = "";
    show();
  });
  const copyLink = button("copy the link", () => {
    history.replaceState(null, "", toHash(state));
    navigator.clipboard?.writeText(location.href).then(() => tell("The link is copied: it keeps sentence and heads."),
      () => tell("The address of this page now keeps sentence and heads: copy it."));
  });
  const save = button("save a picture", () => {
    const control = [...board.control.childNodes].slice(0, 5).map((part) => part.textContent).join(""); // there is no room for remarks
    const canvas = drawPicture(view, board.scoresNow(), [board.status.textContent ?? "", control], root, board.sentence);
    make("a", { href: canvas.toDataURL("image/png"), download: "broken.png" }).click();
  });
  const told = make("p", { role: "status" });
  const tell = (/** @type {string} */ text) => {
    told.textContent = text;
  };

  const field = make("textarea", { "aria-label": "sentence", rows: 1, spellcheck: false, maxLength: MOST_TEXT });
  const begin = (/** @type {string} */ text) => board.go({ text, off: text === state.text ? state.off : [] });
  const grow = () => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight + 2}px`; // with its borders
  };
  field.addEventListener("input", grow);
  const form = make("form", {}, field, make("button", {}, "write on"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) begin(field.value);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    form.requestSubmit();
  });
  const hint = make("p", { className: "break-hint" });
  const texts = make("div", { className: "cw-chips", role: "group", "aria-label": "sentences to begin with" }, ...TEXTS.map(([name, text, why]) =>
    button(name, () => {
      hint.textContent = why;
      begin(text);
    })));
  const heat = slider("temperature", { min: 0, max: 1.5, step: 0.1 }, (at) => (at ? at.toFixed(1) : "0: the likeliest word"), (at) => {
    state.temperature = at;
    heat.show(at, at);
    again.hidden = !at;
    read();
  });
  const again = button("draw again", () => {
    state.seed++;
    read();
  });
  const own = make("div", { className: "break-own", hidden: true }, form, texts, hint, make("div", { className: "cw-bar" }, heat.node, again, stop));
  heat.show(state.temperature, state.temperature);
  again.hidden = !state.temperature;
  const further = make("a", { className: "course-button" }, "Break it yourself");
  root.append(board.sentence, board.status, board.control);
  if (isFront) {
    root.append(further, board.node);
    board.picker.remove();
  } else {
    board.actions.append(copyLink, save);
    board.sentence.after(own); // what is off, and the control, stand right above the heads
    root.append(board.node, board.actions, told, board.next, board.maps);
  }

  /** @type {import("../board/view.js").View} */
  let view = stored.view(state.text, state.off) ?? unknown();
  const unfollow = followPage(root, show);
  window.addEventListener("resize", reserve);

  /** What nobody has computed yet. @returns {import("../board/view.js").View} */
  function unknown() {
    const plain = stored.view(state.text, []);
    return { pieces: [], before: "", scores: {}, error: 0, weight: () => 0, ...plain, text: state.text, off: state.off, after: null, next: [], control: null };
  }

  /** Show what is asked for, or have it computed. */
  function read() {
    field.value = state.text;
    tell("");
    if (live) {
      view = view.text === state.text ? { ...view, off: state.off, after: null, control: null } : { ...unknown(), before: "", scores: {} };
      doing = "The model is reading …";
      const known = state.text === stored.text ? stored.effects : null;
      live.show(state, { effects: score === EFFECT, known }).catch((error) => {
        doing = "";
        show();
        tell(`The model could not read this: ${error.message}`);
      });
    } else view = stored.view(state.text, state.off) ?? unknown();
    show();
  }

  function show() {
    const isKnown = live || view.after !== null;
    stop.disabled = !doing;
    further.href = `docs/break.html${toHash(state)}`;
    const hadPlace = board.node.getBoundingClientRect().top;
    board.show(view, isKnown ? doing : "To see what it writes then, load the model.", doing === WRITING);
    reserve();
    // The heads stay under the finger, whatever grows above them.
    if (board.node.matches(":hover, :focus-within")) scrollBy({ top: board.node.getBoundingClientRect().top - hadPlace, behavior: "instant" });
  }

  /** What stands above the heads grows with a sentence and does not shrink; nothing that has the focus hides behind it. */
  function reserve() {
    const { sentence, status, control } = board, key = `${view.text} ${root.offsetWidth}`;
    root.classList.toggle("break-long", view.text.length > 60);
    for (const node of [sentence, status, control]) {
      if (key !== reserved) node.style.minHeight = "";
      node.style.minHeight = `${node.offsetHeight}px`;
    }
    reserved = key;
    grow();
    if (!isFront) document.documentElement.style.scrollPaddingTop = `${sentence.offsetHeight + parseFloat(getComputedStyle(sentence).top) + 8}px`;
  }

  /** What is known of the stored sentence. @param {import("../board/view.js").View} view @returns {(Node | string)[]} */
  function remark({ text, off }) {
    if (text !== stored.text) return [];
    if (!live && off.length === 1) return [make("strong", {}, `Alone, ${stored.alone || "none"} of the ${COUNT}`), ` changes a word of this sentence; those that stand out only move its probability. Try ${long(stored.main)} and another.`];
    return off.length === 2 && off.includes(stored.main) ? [` Once ${long(stored.main)} is off, ${stored.pairs} of the ${COUNT - 1} others change a word.`] : [];
  }

  show();
  if (!isFront) {
    const load = loading(base, bytes, (made, noGpu) => {
      live = made;
      own.hidden = false;
      if (document.activeElement === document.body) /** @type {HTMLElement} */ (texts.firstChild).focus({ preventScroll: true });
      hint.textContent = noGpu ? `The model runs on this device's processor: ${noGpu}.` : "The model runs on this device's graphics processor.";
      hint.textContent += " A new sentence begins with all heads on.";
      read();
    }, (fresh, what) => {
      view = fresh;
      doing = what;
      show();
    });
    board.control.after(load.node);
    window.addEventListener("hashchange", () => board.go(fromHash(location.hash) ?? { text: stored.text, off: stored.opening }));
  }
  return unfollow;
}

for (const place of document.querySelectorAll("[data-break]")) {
  const el = /** @type {HTMLElement} */ (place), data = /** @type {HTMLElement} */ (document.getElementById("broken-sentence"));
  mountBreak(el, JSON.parse(data.textContent ?? ""), { isFront: el.dataset.break === "front",
    base: new URL(el.dataset.base ?? "", location.href).href, bytes: Number(el.dataset.bytes) });
}
