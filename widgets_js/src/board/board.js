// The board of "Break the model" and of ModelLab: what a model writes with all its heads and without
// some, the control by chance, every head with its score, and the next tokens. It computes nothing:
// who owns it asks a model, in a worker or in Python, and shows the view that comes.
import { radioGroup } from "../shared/controls.js";
import { button, make } from "../shared/elements.js";
import { headGrid } from "./head_grid.js";
import { nextBars } from "./next_bars.js";
import { oneLayer } from "./one_layer.js";
import { compared } from "./story.js";
import { LAST, shadesOf } from "./view.js";
import { makeWalk } from "./walk.js";
import { counted, namesOf, share } from "./words.js";

/** @typedef {import("./view.js").View} View */
/** @typedef {{text: string, off: number[]}} Wish a text, and the heads that are to be off */

/**
 * @typedef {object} Owner
 * @property {number} layers
 * @property {number} heads in a layer
 * @property {Record<string, string>} scores what each says
 * @property {Wish & {score: string, chosen: number}} state what was asked for, and what is chosen
 * @property {(wish: Wish) => void} ask `show` follows, at once or later
 * @property {() => boolean} isFree whether any text and any heads can be asked for
 * @property {(i: number) => Wish | null} [pressed] what a press on a head asks for, if anything, where not all can be
 * @property {(view: View) => (Node | string)[]} [remark] what stands in place of a control, or behind it
 * @property {import("./walk.js").Walk} [walk] the way back and forward; without one the board keeps its own
 * @property {() => void} [chose] another head was chosen
 * @property {boolean} [open] whether the maps are, from the start
 */

/** @param {Owner} owner */
export function makeBoard({ layers, heads, scores, state, ask, isFree, pressed, remark = () => [], walk = makeWalk(() => state, ask), chose = () => {}, open = false }) {
  const count = layers * heads, all = [...Array(count).keys()], name = namesOf(heads);
  /** @type {View} */
  let view = { text: "", off: [], pieces: [], before: "", after: null, scores: {}, error: 0, next: [], weight: () => 0, control: null };
  let key = 0, pieces = "";

  const words = make("span", { className: "cw-words" }), rest = make("span");
  const sentence = make("p", { className: "cw-sentence" }, words, rest);
  const status = make("p", { className: "cw-status" }), spoken = make("p", { role: "status", className: "cw-spoken" });
  const control = make("p", { className: "cw-control" });
  const grid = headGrid(layers, heads, { chosen: () => state.chosen, choose, press });
  const names = Object.keys(scores), says = make("span", { className: "cw-says" }), chosenSays = make("strong"), ramp = make("i"), scale = make("span", { className: "cw-scale" }, "0 ", ramp, " 1 ");
  const scorePicker = radioGroup("light the heads by", "cw-chips", names, (i) => {
    state.score = names[i];
    showScores();
  });
  const keySelect = make("select", { "aria-label": "token looked at" });
  keySelect.addEventListener("change", () => {
    key = +keySelect.value;
    showScores();
  });
  const picker = make("div", { className: "cw-bar" }, make("span", {}, "light by"), scorePicker.node);
  const node = make("div", { className: "cw-board-of-heads" }, picker, grid.node,
    make("p", { className: "cw-board-legend" }, chosenSays, scale, says, " ", keySelect), spoken);

  const undo = button("undo", walk.back), redo = button("redo", walk.forward);
  const brightest = button("", () => press(best()));
  const layerOff = button("", () => go({ off: all.filter((i) => state.off.includes(i) || layerOf(i) === layerOf(state.chosen)) }));
  const onlyThese = button("", () => go({ off: all.filter((i) => !state.off.includes(i)) }));
  const allOn = button("all on", () => go({ off: [] }));
  const actions = make("div", { className: "cw-bar cw-switches-bar" }, undo, redo, brightest, layerOff, onlyThese, allOn);
  const next = nextBars(), maps = oneLayer(heads, open);

  const manner = () => view.manner ?? "off";
  const layerOf = (/** @type {number} */ i) => Math.floor(i / heads);
  /** The scores of all heads that are shown, if there are any. */
  const scoresNow = () => (state.score !== LAST ? view.scores[state.score] : view.pieces.length ? all.map((i) => view.weight(i, view.pieces.length - 1, key)) : undefined);
  /** The head with the highest score of those that are on; -1 without one. */
  function best() {
    const found = scoresNow() ?? [];
    return all.reduce((most, i) => (!state.off.includes(i) && (found[i] ?? -1) > (found[most] ?? -1) ? i : most), -1);
  }

  /** Ask for a text, heads, or both; it can be undone. @param {Partial<Wish>} wish */
  function go({ text = state.text, off = state.off }) {
    walk.leave();
    ask({ text, off: [...off].sort((a, b) => a - b) });
  }

  /** @param {number} i */
  function choose(i) {
    state.chosen = i;
    showChoice();
  }

  /** @param {number} i */
  function press(i) {
    choose(i);
    const isOff = state.off.includes(i);
    const wish = isFree() ? { off: isOff ? state.off.filter((one) => one !== i) : [...state.off, i] } : pressed?.(i);
    if (wish) go(wish);
  }

  function showChoice() {
    layerOff.textContent = `all of layer ${layerOf(state.chosen)} ${manner()}`;
    brightest.textContent = `brightest ${manner()}`;
    grid.mark();
    chosenSays.textContent = `${grid.says(state.chosen)} `;
    maps.show(view, state.chosen);
    chose();
  }

  function showScores() {
    const found = scoresNow(), shadeFor = shadesOf(state.score);
    scorePicker.choose(names.indexOf(state.score));
    keySelect.hidden = state.score !== LAST || !found;
    grid.show(found ?? null, view.off, manner(), shadeFor);
    scale.hidden = !found;
    ramp.style.background = `linear-gradient(90deg,${[...Array(51)].map((_, i) => shadeFor(i / 50).background)})`;
    chosenSays.textContent = `${grid.says(state.chosen)} `;
    const known = found?.filter((one) => one !== null).length ?? count;
    says.textContent = found ? (known < count ? `${known} of ${count} heads are tried so far: ` : "") + scores[state.score]
      : found === null ? `this text has no such pair of tokens: ${scores[state.score]}` : isFree() ? "not computed yet" : "what each head does here is known once the model is loaded";
    brightest.disabled = !isFree() || best() < 0;
  }

  /**
   * @param {View} fresh
   * @param {string} [doing] what is still being computed
   * @param {boolean} [isWriting] whether `after` goes on
   */
  function show(fresh, doing = "", isWriting = false) {
    view = fresh;
    if (pieces !== view.pieces.join("\n")) showTokens();
    const { after, off } = view;
    // While it writes, what is still to come is not gone.
    const before = isWriting && after !== null && view.before.startsWith(after) ? after : view.before;
    const { same, gone, fresh: instead } = compared(before, after ?? before), isBroken = after !== null && Boolean(gone || instead);
    const isSilent = after !== null && !isWriting && !doing && !after.trim();
    if (words !== document.activeElement) words.textContent = view.text;
    rest.replaceChildren(make("span", { className: "cw-same" }, after === null && !before ? " …" : same),
      ...(gone ? [" ", make("del", {}, gone.trim())] : []), ...(instead ? [make("ins", {}, instead)] : isSilent ? [make("ins", {}, " (nothing)")] : []));
    status.textContent = doing && !before ? doing : `${titleOf(off)}. ${after === null || isWriting ? doing
      : !off.length ? "It may be wrong all the same: compare with this, not with the truth."
        : isBroken ? `Struck through: with all ${manner() === "off" ? "on" : "as they are"}.` : "Not a word changes."}`;
    control.replaceChildren(...controlLine(isWriting ? "" : doing));
    speak(isWriting || after === null ? doing : "", isBroken);
    const held = actions.contains(document.activeElement) ? /** @type {HTMLButtonElement} */ (document.activeElement) : null;
    undo.disabled = !walk.canGoBack();
    redo.disabled = !walk.canGoForward();
    layerOff.disabled = !isFree();
    onlyThese.textContent = off.length ? `only ${off.length === 1 ? "this one" : `these ${off.length}`} on` : "only these on";
    onlyThese.title = "Heads that are off come on, all others go off";
    onlyThese.disabled = !isFree() || !off.length;
    allOn.disabled = !off.length || !isFree() && !pressed;
    showScores();
    if (held?.disabled) /** @type {HTMLElement | null} */ (actions.querySelector("button:enabled"))?.focus({ preventScroll: true });
    showChoice();
    next.show(view.next, off.length, { manner: manner(), temperature: view.temperature });
  }

  /** Say what changed and the control by chance to who does not see it, once. @param {string} doing @param {boolean} isBroken */
  function speak(doing, isBroken) {
    const { control: drawn, off, before, after } = view, [token, all, without] = likeliestOf();
    const writes = isBroken ? `it writes “${after?.trim() || "nothing"}” in place of “${before.trim()}”`
      : !off.length ? `it writes “${before.trim()}”` : `not a word changes${token ? `, and “${token.trim()}” goes from ${share(all)} to ${share(without)}` : ""}`;
    const now = doing || (after === null ? status.textContent ?? "" : `${titleOf(off)}; ${writes}`);
    const chance = !doing && drawn?.done && drawn.done === drawn.of ? `${drawn.same} of ${drawn.done} draws of ${counted(off.length, "other head")} changed nothing` : "";
    const sentence = `${now}${chance && "; by chance, "}${chance}`;
    if (spoken.textContent !== sentence) spoken.textContent = sentence;
  }

  /** Another text. */
  function showTokens() {
    pieces = view.pieces.join("\n");
    const end = view.pieces.length - 1;
    key = view.pieces.reduce((most, _, i) => (i > 1 && view.weight(state.chosen, end, i) > view.weight(state.chosen, end, most) ? i : most), Math.min(end, 1));
    keySelect.replaceChildren(...view.pieces.map((piece, i) => make("option", { value: i }, `${piece} (token ${i})`)));
    keySelect.value = String(key);
  }

  /** @param {string} doing @returns {(Node | string)[]} */
  function controlLine(doing) {
    const { control: drawn, off, after } = view, more = remark(view);
    if (!drawn?.done) return after === null ? (more.length ? more : [" "]) : [doing, ...likeliest(), " ", ...more];
    const draws = `${drawn.done} ${drawn.done === 1 ? "draw" : "draws"}${drawn.done < drawn.of ? " so far" : ""}`;
    const every = drawn.isEvery && drawn.done === drawn.of ? ", all that the same layers have," : "";
    const rest = drawn.others.length ? ` Another wrote, for example: “${drawn.others[0].trim()}”` : "";
    return [make("strong", {}, `By chance: ${drawn.same} of ${draws}`), ` of ${counted(off.length, "other head")}${every} changed nothing.`, ...likeliest(), rest, ...more];
  }

  /** The next token that is likeliest with all heads; empty where none is known. */
  const likeliestOf = () => view.next.reduce((most, one) => (one[1] > most[1] ? one : most), /** @type {import("./view.js").Next} */ (["", 0, 0]));

  /** What happens to the likeliest next token, where the texts alone do not tell. @returns {(Node | string)[]} */
  function likeliest() {
    if (!view.off.length || !view.next.length) return [];
    const [text, all, without, mean] = likeliestOf();
    return [` Next token “${text.trim()}”: all on ${share(all)}, `, make("strong", {}, `${manner() === "off" ? "without" : "with"} ${view.off.length > 1 ? "these" : "this one"}${manner() === "off" ? "" : ` ${manner()}`} ${share(without)}`),
      mean === undefined ? "." : `, by chance ${share(mean)}.`];
  }

  /** @param {number[]} off */
  function titleOf(off) {
    if (!off.length) return `All ${count} heads are on`;
    const which = off.length < 3 ? ": " + off.map(name.long).join(" and ") : off.length < 7 ? ": " + off.map(name.short).join(", ") : "";
    const [number] = counted(off.length, "head").split(" ");
    return `${number[0].toUpperCase()}${number.slice(1)} of ${count} heads ${off.length === 1 ? "is" : "are"} ${manner()}${which}`;
  }

  return { sentence, words, status, control, picker, node, actions, next: next.node, maps: maps.node, show, showScores, showChoice, go, scoresNow, end: maps.end };
}
