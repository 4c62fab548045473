// "Break the model": the board of the 270 heads of SmolLM2, which this browser runs itself.
import { makeBoard } from "../board/board.js";
import { oneLayer } from "../board/one_layer.js";
import { EFFECT, SCORES } from "../board/view.js";
import { namesOf } from "../board/words.js";
import { checkbox, slider } from "../shared/controls.js";
import { button, make, widgetRoot } from "../shared/elements.js";
import { followPage } from "../shared/page.js";
import { makeHint } from "./hint.js";
import { makeHistory } from "./history.js";
import { fromHash, isPlain, LENGTH, MOST_NEW, PLAIN, resultIn, resultOf, toHash } from "./link.js";
import { WRITING } from "./live.js";
import { loading } from "./loading.js";
import { keepPage } from "./offline.js";
import { drawPicture } from "./picture.js";
import { makeRoom } from "./room.js";
import { HEADS, LAYERS, makeStored, mannerOf, told } from "./stored.js";
import { TEXTS } from "./texts.js";

/** @typedef {import("./link.js").Kept} Kept */
/** @typedef {import("../board/view.js").View} View */

const MORE = 24, PAUSE = 150; // tokens, milliseconds

/**
 * @param {HTMLElement} el
 * @param {import("./stored.js").Sent} sent
 * @param {{base: string, bytes: number}} options
 */
export function mountBreak(el, sent, { base, bytes }) {
  const stored = makeStored(sent, base), { long } = namesOf(HEADS), past = makeHistory();
  /** @type {ReturnType<typeof import("./live.js").makeLive> | null} */
  let live = null;
  /** @returns {Kept} what the address asks for */
  const wanted = () => fromHash(location.hash) ?? { ...PLAIN, text: stored.text, off: stored.opening };
  let score = EFFECT, doing = "", moved = "", waiting = 0, drawing = 0;
  const asked = wanted();
  const state = { ...asked, chosen: asked.off.at(-1) ?? 0,
    get score() {
      return score;
    },
    set score(name) {
      score = name;
      if (live && name === EFFECT && view.scores[name]?.includes(null) !== false) read();
    } };

  const isStored = () => state.text === stored.text && mannerOf(state).manner === "off";
  const habits = make("p", { className: "break-habits" });
  const root = widgetRoot(el, "Break the model");
  root.classList.add("break");
  document.documentElement.classList.add("has-board");
  const board = makeBoard({ layers: LAYERS, heads: HEADS, scores: SCORES, state, isFree: () => live !== null, remark, walk: past.walk,
    chose() {
      habits.textContent = [isStored() ? stored.beside(state.off) : "", stored.habits(state.chosen)].join(" ").trim();
      if (otherView) otherMaps.show(otherView, state.chosen);
    },
    ask: (wish) => go(wish),
    pressed(i) {
      const { text } = state, before = mannerOf(state).manner === "off" ? state.off : [], off = stored.pressed(text, before, i), effect = view.scores[EFFECT]?.[i]?.toFixed(2);
      if (!off) hint.say(effect ? `Off alone, ${long(i)} has an effect of ${effect} here. For its words, load the model.` : `To try ${long(i)} here, load the model.`, () => state.text === text && state.off === before);
      else if (before.some((one) => one !== i && !off.includes(one))) window.setTimeout(() => tell(`Before the model is loaded, only ${long(stored.main)} and one other head can be off.`));
      return off && { text, off };
    } });
  const stop = button("stop", () => {
    live?.stop();
    doing = "";
    show();
  });
  const copyLink = button("copy the link", () => {
    const hash = toHash(state, past.result());
    past.go(toHash(state), true);
    navigator.clipboard?.writeText(location.href.split("#")[0] + hash).then(() => tell("The link is copied: it keeps sentence, heads and what came of them."), () => {
      past.go(hash, true);
      tell("The address of this page now keeps sentence, heads and what came of them: copy it.");
    });
  });
  const save = button("save a picture", () => {
    const control = [...board.control.childNodes].slice(0, 5).map((part) => part.textContent).join(""); // there is no room for remarks
    const canvas = drawPicture(view, board.scoresNow(), score, [board.status.textContent ?? "", control], root, board.sentence);
    make("a", { href: canvas.toDataURL("image/png"), download: "broken.png" }).click();
  });
  const message = make("p", { role: "status", className: "break-told" }), hint = makeHint();
  const tell = (/** @type {string} */ text) => void (message.textContent = text);

  // The sentence is its own field.
  const { words, sentence } = board;
  const begin = (/** @type {string} */ text) => go({ text, off: text === state.text ? state.off : [] });
  const draft = () => (words.textContent ?? "").replaceAll("\u00a0", " ");
  function commit() {
    sentence.classList.remove("break-draft");
    if (!live || draft() === state.text) return;
    if (draft().trim()) return begin(draft());
    words.textContent = state.text;
    tell("There is nothing to write on from: the sentence is as it was. Type at least one word.");
  }
  words.addEventListener("input", () => sentence.classList.toggle("break-draft", draft() !== state.text));
  words.addEventListener("blur", commit);
  words.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Escape") words.textContent = state.text;
    commit();
  });
  const texts = TEXTS.map(([name, text, why]) => button(name, () => {
    begin(text);
    hint.say(why, () => state.text === text);
  }));
  const surprise = button("surprise me", surpriseMe);
  const rest = make("details", { className: "break-more" }, make("summary", {}, "More"),
    make("div", { className: "cw-bar", role: "group", "aria-label": "sentences to begin with" }, make("span", {}, "begin with"), make("div", { className: "cw-chips" }, ...texts)), board.picker,
    make("p", {}, "The model runs in this browser, which keeps it. Nothing that you type leaves it."));

  // More than off: each is a step that can be undone, and goes along in the address.
  const gain = slider("the heads marked × speak", { min: 0, max: 2, step: 0.1 }, (at) => (at ? `${at.toFixed(1)} times` : "not at all"), (at) => set("gain", { gain: at }));
  const heat = slider("temperature", { min: 0, max: 1.5, step: 0.1 }, (at) => (at ? at.toFixed(1) : "0: the likeliest word"), (at) => set("temperature", { temperature: at }));
  const again = button("draw again", () => set("seed", { seed: state.seed + 1 }));
  const other = make("input", { type: "text", "aria-label": "text to patch from", spellcheck: false, placeholder: "The capital of Spain is" });
  const patch = make("form", { className: "break-other" }, make("label", {}, "or say what they say in another sentence ", other), make("button", {}, "patch"));
  patch.addEventListener("submit", (event) => {
    event.preventDefault();
    set("other", { other: other.value.trim() ? other.value : "" });
  });
  const chat = checkbox("ask it as a chat", (isChat) => set("chat", { isChat, length: isChat ? LENGTH + MORE : LENGTH }));
  const more = button("write more", () => set("length", { length: Math.min(state.length + MORE, MOST_NEW) }));
  const tools = make("div", { className: "break-tools", role: "group", "aria-label": "more than off" },
    make("div", { className: "cw-bar" }, gain.node, patch), make("div", { className: "cw-bar" }, heat.node, again, more, chat.input.parentElement ?? chat.input));
  const otherMaps = oneLayer(HEADS, false, " in the other sentence");
  otherMaps.node.hidden = true;
  /** @type {View | null} */
  let otherView = null;

  /** @param {string} name of the control @param {Partial<Kept>} change */
  function set(name, change) {
    const isSameStep = moved === name && name !== "seed" && name !== "length";
    go(change, isSameStep);
    moved = name;
  }

  /** @param {Partial<Kept>} change @param {boolean} [isSameStep] */
  function go(change, isSameStep = false) {
    moved = "";
    Object.assign(state, change);
    past.go(toHash(state), isSameStep);
    if (isSameStep) past.keep(null);
    window.clearTimeout(waiting);
    if (!isSameStep) return read();
    showOptions();
    waiting = window.setTimeout(read, PAUSE); // a slider is still moving
  }

  async function surpriseMe() {
    try {
      await stored.fetchSurprises();
    } catch {
      return tell("The surprises could not be fetched.");
    }
    const { text, off } = stored.surprise();
    state.chosen = off[off.length - 1];
    go({ ...PLAIN, text, off });
    if (!live) past.keep(resultIn(view));
    hint.say("Found by search. Chance drew from the same layers.", () => state.text === text && String(state.off) === String(off));
  }

  const load = loading(base, bytes, (made, noGpu) => {
    live = made;
    root.classList.add("break-live");
    for (const [name, value] of [["role", "textbox"], ["aria-label", "sentence"], ["spellcheck", "false"], ["contenteditable", "plaintext-only"]]) words.setAttribute(name, value);
    if (document.activeElement === document.body) surprise.focus({ preventScroll: true });
    hint.say(`The model runs on this device's ${noGpu ? `processor: ${noGpu}` : "graphics processor"}. Click into the sentence to change it; a new one begins with all heads on.`);
    read();
  }, (fresh, what) => {
    view = fresh;
    doing = what;
    if (!doing && fresh.after !== null) past.keep(resultIn(view));
    show();
  }, () => {
    drawing ||= requestAnimationFrame(() => {
      drawing = 0;
      board.showScores();
    });
  });

  const left = make("div", { className: "break-left" }, board.node, message, board.actions, habits);
  const keep = make("div", { className: "break-keep cw-bar cw-switches-bar" }, copyLink, save);
  const right = make("div", { className: "break-right" }, board.next), noMaps = make("p", {}, "Where the heads look here is known once the model is loaded.");
  root.append(sentence, make("div", { className: "break-start" }, load.node, surprise, rest), hint.node, make("div", { className: "break-status" }, board.status, stop), board.control, make("div", { className: "break-sides" }, left, keep, right), tools, board.maps, noMaps, otherMaps.node);

  /** @type {View} */
  let view = unknown();
  const unfollow = followPage(root, show);
  const reserve = makeRoom(root, board, () => (isStored() ? stored.longest : ""));
  window.addEventListener("resize", () => reserve(view));

  /** What needs no model: what is stored, or what the address says. */
  function known() {
    const result = past.result() ?? resultOf(location.hash);
    return computedBefore() ?? (result && told(state, result));
  }

  /** What is stored, or null: of heads that are off, and of nothing else that is done. */
  function computedBefore() {
    return isPlain(state) ? stored.view(state.text, state.off) : null;
  }

  /** What nobody has computed yet. @returns {View} */
  function unknown() {
    const plain = stored.view(state.text, []);
    return { pieces: [], before: "", scores: {}, error: 0, weight: () => 0, ...plain, text: state.text, off: state.off, after: null, next: [], control: null, ...mannerOf(state) };
  }

  /** Show what is asked for, or have it computed. */
  function read() {
    tell("");
    hint.look();
    showOptions();
    if (!sentence.classList.contains("break-draft") && draft() !== state.text) words.textContent = state.text;
    if (live) {
      const isSame = view.text === state.text && view.pieces.length;
      view = isSame ? { ...view, off: state.off, after: null, control: null, next: [], ...mannerOf(state) } : { ...unknown(), before: "", scores: {} };
      doing = "The model is reading …";
      live.show(state, { effects: score === EFFECT, known: state.isChat ? {} : unknown().scores }).catch((error) => {
        doing = "";
        show();
        tell(`The model could not read this: ${error.message}.`);
      });
      showOther(live);
    } else {
      view = known() ?? unknown();
      if (state.text !== stored.text) stored.fetchSurprises().then((areNew) => areNew && !live && read(), () => {}); // it may be one of theirs
    }
    show();
  }

  /** The maps of the other sentence, below those of the first. @param {NonNullable<typeof live>} made */
  async function showOther(made) {
    otherMaps.node.hidden = !state.other;
    if (!state.other || otherView?.text === state.other) return;
    const maps = await made.mapsOf(state.other, state.isChat).catch(() => null);
    otherView = maps && { ...unknown(), ...maps, off: [], after: "" };
    if (otherView) otherMaps.show(otherView, state.chosen);
  }

  function showOptions() {
    gain.show(state.gain, state.gain);
    gain.input.disabled = Boolean(state.other);
    heat.show(state.temperature, state.temperature);
    again.hidden = !state.temperature;
    if (document.activeElement !== other) other.value = state.other;
    chat.input.checked = state.isChat;
    more.disabled = state.length >= MOST_NEW;
  }

  function show() {
    const isKnown = live || view.after !== null;
    const isTold = !live && isKnown && !computedBefore();
    const hadPlace = board.node.getBoundingClientRect().top;
    board.show(view, !isKnown ? "To see what it writes then, load the model." : doing, doing === WRITING);
    if (isTold) board.status.append(" This was computed before; load the model to compute it here.");
    noMaps.hidden = live !== null || view.pieces.length > 0;
    board.maps.hidden = !noMaps.hidden;
    stop.hidden = !live;
    stop.disabled = !doing;
    reserve(view);
    // The heads stay under the finger, whatever grows above them.
    if (board.node.matches(":hover, :focus-within")) scrollBy({ top: board.node.getBoundingClientRect().top - hadPlace, behavior: "instant" });
  }

  /** What each other head does in place of those that are off. @param {View} view @returns {(Node | string)[]} */
  function remark({ off }) {
    const each = !live && isPlain(state) && isStored() && stored.each(off);
    return each ? [make("strong", {}, each[0]), each[1]] : [];
  }

  read();
  window.addEventListener("popstate", () => {
    past.came();
    Object.assign(state, wanted());
    moved = "";
    read();
  });
  if (document.readyState === "complete") keepPage();
  else window.addEventListener("load", () => keepPage());
  return unfollow;
}

for (const place of document.querySelectorAll("[data-break]")) {
  const el = /** @type {HTMLElement} */ (place), data = /** @type {HTMLElement} */ (document.getElementById("broken-sentence"));
  mountBreak(el, JSON.parse(data.textContent ?? ""), { base: new URL(el.dataset.base ?? "", location.href).href, bytes: Number(el.dataset.bytes) });
}
