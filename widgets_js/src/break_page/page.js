// "Break the model": a sentence, the 270 heads of SmolLM2, and what it writes without some of them.
import { radioGroup, slider } from "../shared/controls.js";
import { button, make, widgetRoot } from "../shared/elements.js";
import { headGrid } from "../shared/head_grid.js";
import { followPage } from "../shared/page.js";
import { fromHash, shortName, toHash } from "./link.js";
import { WRITING } from "./live.js";
import { loading } from "./loading.js";
import { nextBars } from "./next_bars.js";
import { oneLayer } from "./one_layer.js";
import { drawPicture } from "./picture.js";
import { HEADS, LAYERS, makeStored } from "./stored.js";
import { compared, counted } from "./story.js";
import { SCORES } from "./view.js";

const COUNT = LAYERS * HEADS, MOST_TEXT = 200;
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
  const stored = makeStored(sent);
  /** @type {ReturnType<typeof import("./live.js").makeLive> | null} */
  let live = null;
  const kept = (!isFront && fromHash(location.hash)) || { text: stored.text, off: stored.opening, temperature: 0, seed: 0 };
  const state = { ...kept, score: Object.keys(SCORES)[0], chosen: kept.off.at(-1) ?? 0 };
  /** @type {{text: string, off: number[]}[]} */
  const past = [];
  /** @type {import("./view.js").View} */
  let view = stored.view(state.text, state.off) ?? unknown();
  let doing = "";

  const root = widgetRoot(el, "Break the model");
  root.classList.add("break");
  const sentence = make("p", { className: "break-sentence" });
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  const control = make("p", { className: "break-control" }), stop = button("stop", () => {
    live?.stop();
    doing = "";
    show();
  });
  const grid = headGrid(LAYERS, HEADS, { across: true, chosen: () => state.chosen, choose, press, toggle: press });
  const names = Object.keys(SCORES), says = make("span");
  const scorePicker = radioGroup("light the heads by", "cw-chips", names.map((name) => make("button", { type: "button" }, name)), (i) => {
    state.score = names[i];
    if (live && i === 0 && !view.scores[names[0]]) ask();
    showScores();
  });
  const legend = make("p", { className: "break-legend" }, make("span", { className: "cw-scale" }, "0 ", make("i"), " 1 "), says);
  const picker = make("div", { className: "cw-bar" }, make("span", {}, "light by"), scorePicker.node);
  const board = make("div", { className: "break-board" }, picker, grid.node, legend);

  const undo = button("undo", () => {
    const last = past.pop();
    if (last) go(last, false);
  });
  const layerOff = button("", () => go({ off: merged(state.off, layerOf(state.chosen)) }));
  const onlyThese = button("all but these off", () => go({ off: all().filter((i) => !state.off.includes(i)) }));
  const allOn = button("all on", () => go({ off: [] }));
  const copyLink = button("copy the link", () => {
    history.replaceState(null, "", toHash(state));
    navigator.clipboard?.writeText(location.href).then(() => tell("The link is copied: it keeps sentence and heads."),
      () => tell("The address of this page now keeps sentence and heads: copy it."));
  });
  const save = button("save a picture", () => {
    const canvas = drawPicture(view, view.scores[state.score] ?? null, [status.textContent ?? "", control.textContent ?? ""], root, sentence);
    make("a", { href: canvas.toDataURL("image/png"), download: "broken.png" }).click();
  });
  const told = make("p", { role: "status" });
  const tell = (/** @type {string} */ text) => {
    told.textContent = text;
  };

  const field = make("textarea", { "aria-label": "sentence", rows: 1, spellcheck: false, maxLength: MOST_TEXT });
  const read = make("button", {}, "write on");
  const form = make("form", {}, field, read);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) go({ text: field.value, off: state.off });
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
      go({ text, off: [] });
    })));
  const heat = slider("temperature", { min: 0, max: 1.5, step: 0.1 }, (at) => (at ? at.toFixed(1) : "0: the likeliest word"), (at) => {
    state.temperature = at;
    heat.show(at, at);
    again.hidden = !at;
    ask();
  });
  const again = button("draw again", () => {
    state.seed++;
    ask();
  });
  const own = make("div", { className: "break-own" }, form, texts, hint, make("div", { className: "cw-bar" }, heat.node, again));
  const next = nextBars(), maps = oneLayer();
  const load = isFront ? null : loading(base, bytes, (made) => {
    live = made;
    own.hidden = false;
    ask();
  }, (fresh, what) => {
    view = fresh;
    doing = what;
    show();
  });
  own.hidden = true;
  heat.show(state.temperature, state.temperature);
  again.hidden = !state.temperature;
  root.append(sentence, status, control);
  if (isFront) {
    root.append(make("a", { className: "course-button", href: "docs/break.html" }, "Break it yourself"), board);
    picker.remove();
  } else {
    root.append(stop, /** @type {NonNullable<typeof load>} */ (load).node, own, board,
      make("div", { className: "cw-bar break-actions" }, undo, layerOff, onlyThese, allOn, copyLink, save), told, next.node, maps.node);
  }
  const unfollow = followPage(root, show);

  /** What nobody has computed yet. @returns {import("./view.js").View} */
  function unknown() {
    const plain = stored.view(state.text, []);
    return { pieces: [], before: "", scores: {}, error: 0, weight: () => 0, ...plain, text: state.text, off: state.off, after: null, next: [], control: null };
  }

  /** A sentence, heads, or both. @param {{text?: string, off?: number[]}} wish */
  function go({ text = state.text, off = state.off }, remember = true) {
    if (remember) past.push({ text: state.text, off: state.off });
    Object.assign(state, { text, off: [...off].sort((a, b) => a - b) });
    if (location.hash) history.replaceState(null, "", toHash(state));
    ask();
  }

  function ask() {
    field.value = state.text;
    tell("");
    if (live) {
      if (view.text !== state.text) view = { ...unknown(), before: "", scores: {} };
      view = { ...view, off: state.off, after: null, control: null };
      doing = "The model is reading …";
      const known = state.text === stored.text ? stored.effects : null;
      live.show(state, { effects: state.score === names[0], known }).catch((error) => {
        doing = "";
        show();
        tell(`The model could not read this: ${error.message}`);
      });
    } else view = stored.view(state.text, state.off) ?? unknown();
    show();
  }

  /** @param {number} i */
  function choose(i) {
    state.chosen = i;
    showChoice();
  }

  /** Switch a head. @param {number} i */
  function press(i) {
    choose(i);
    if (live) go({ off: state.off.includes(i) ? state.off.filter((one) => one !== i) : [...state.off, i] });
    else {
      const before = state.text === stored.text ? state.off : [];
      go({ text: stored.text, off: stored.pressed(before, i) });
      if (before.some((one) => one !== i && !state.off.includes(one))) tell(`Before the model is loaded, only ${longName(stored.main)} and one other head can be off.`);
    }
  }

  function showChoice() {
    const layer = Math.floor(state.chosen / HEADS);
    layerOff.textContent = `all of layer ${layer} off`;
    grid.mark();
    maps.show(view, state.chosen);
  }

  function showScores() {
    const scores = view.scores[state.score] ?? null;
    scorePicker.choose(names.indexOf(state.score));
    grid.show(scores, (i) => state.off.includes(i), (i) => `layer ${Math.floor(i / HEADS)}, head ${i % HEADS}`);
    says.textContent = scores ? SCORES[state.score]
      : view.before && state.score === "induction" ? "no token of this sentence comes twice" : "not computed for this sentence yet";
  }

  function show() {
    const { after, off } = view, isWriting = doing === WRITING;
    // While it writes, what is still to come is not gone.
    const before = isWriting && after !== null && view.before.startsWith(after) ? after : view.before;
    const { same, gone, fresh } = compared(before, after ?? before), isBroken = after !== null && Boolean(gone || fresh);
    sentence.replaceChildren(make("span", {}, view.text), make("span", { className: "break-same" }, after === null && !before ? " …" : same),
      ...(gone ? [" ", make("del", {}, gone.trim())] : []), ...(fresh ? [make("ins", {}, fresh)] : []));
    const first = namesOf(off);
    status.textContent = doing && !before ? doing : after === null ? live ? `${first}. ${doing}` : `${first}. What it writes then was not computed before: load the model.`
      : isWriting ? `${first}. ${doing}` : !off.length ? `${first}.` : isBroken ? `${first}. Struck through: what it writes with all of them.` : `${first}. Not a word changes.`;
    control.replaceChildren(...controlLine());
    stop.hidden = !live || !doing || view.after === null;
    undo.disabled = !past.length;
    layerOff.disabled = onlyThese.disabled = !live;
    allOn.disabled = !off.length;
    showScores();
    showChoice();
    next.show(view.next, off.length);
  }

  /** @returns {(Node | string)[]} */
  function controlLine() {
    const { control: drawn, off } = view;
    const isPair = view.text === stored.text && off.length === 2 && off.includes(stored.main);
    const beside = isPair ? ` But without ${longName(stored.main)}, ${stored.pairs} of the ${COUNT - 1} others would change a word, too: the second head could be many.` : "";
    if (drawn?.done) {
      const rest = drawn.others.length ? ` The others wrote, for example: “${drawn.others[0].trim()}”` : "";
      const draws = drawn.done < drawn.of ? `${drawn.done} ${drawn.done === 1 ? "draw" : "draws"} so far` : `${drawn.of} draws`;
      return [make("strong", {}, `By chance: ${drawn.same} of ${draws}`), ` of ${counted(off.length, "other head")} changed nothing.${rest}${beside}`];
    }
    if (!live && off.length === 1 && view.text === stored.text) return [make("strong", {}, `Alone, ${stored.alone || "none"} of the ${COUNT}`), ` changes a word of this sentence. Try ${longName(stored.main)} and another.`];
    if (!live && beside) return [beside.trim()];
    return [doing || " "];
  }

  show();
  return unfollow;
}

/** @param {number} i */
const longName = (i) => `head ${i % HEADS} of layer ${Math.floor(i / HEADS)}`;

/** @param {number[]} off */
function namesOf(off) {
  if (!off.length) return `All ${COUNT} heads of SmolLM2 are on`;
  const names = off.length < 3 ? ": " + off.map(longName).join(" and ") : off.length < 7 ? ": " + off.map(shortName).join(", ") : "";
  const [count] = counted(off.length, "head").split(" ");
  return `${count[0].toUpperCase()}${count.slice(1)} of the ${COUNT} heads of SmolLM2 ${off.length === 1 ? "is" : "are"} off${names}`;
}

const all = () => Array.from({ length: COUNT }, (_, i) => i);
/** @param {number} i */
const layerOf = (i) => all().filter((one) => Math.floor(one / HEADS) === Math.floor(i / HEADS));
/** @param {number[]} some @param {number[]} more */
const merged = (some, more) => [...new Set([...some, ...more])];

for (const place of document.querySelectorAll("[data-break]")) {
  const el = /** @type {HTMLElement} */ (place), data = /** @type {HTMLElement} */ (document.getElementById("broken-sentence"));
  mountBreak(el, JSON.parse(data.textContent ?? ""), { isFront: el.dataset.break === "front",
    base: new URL(el.dataset.base ?? "", location.href).href, bytes: Number(el.dataset.bytes) });
}
