// "Caption or chance?": ten maps with captions. The reader bets before the numbers are shown.
import { shares } from "../shared/base64.js";
import { drawMap } from "../shared/colours.js";
import { edgeLine } from "../shared/edge.js";
import { button, heading, make, widgetRoot } from "../shared/elements.js";
import { followPage } from "../shared/page.js";

/**
 * @typedef {object} Bet
 * @property {string} model a checkpoint, or "untrained" and its seed
 * @property {[number, number]} head
 * @property {string} caption
 * @property {string} weights base64, a byte for each allowed cell
 * @property {number} number of the caption on other sentences
 * @property {number} best_untrained
 * @property {number} moved the same on sentences of another kind
 * @property {number} accuracy
 * @property {number} without this head
 * @property {number} without_another
 */

/** @param {Bet} bet */
const isTrained = (bet) => !bet.model.startsWith("untrained");
const NAMES = ["trained", "untrained"];

/**
 * @param {HTMLElement} el
 * @param {{words: string[], sentences: number, bets: Bet[]}} sent
 */
function mountBets(el, { words, sentences, bets }) {
  const root = widgetRoot(el, "Caption or chance?"), size = words.length;
  root.classList.add("break", "bets");
  /** What was bet: true is trained. @type {boolean[]} */
  const bet = [];
  let at = 0;
  const count = make("p", { className: "bets-count" }), caption = make("p", { className: "cw-sentence" });
  const canvas = make("canvas", { role: "img" }), edge = edgeLine(), columns = make("div", { className: "bets-columns", "aria-hidden": "true" });
  const rows = make("div", { className: "bets-rows", "aria-hidden": "true" });
  const scale = make("p", { className: "cw-scale bets-scale" });
  rows.append(...words.map((word) => make("span", {}, word)));
  columns.append(...words.map((word) => make("span", {}, word)));
  const choices = NAMES.map((name, i) => button(name, () => answer(i === 0)));
  const answerBox = make("div", { role: "status", className: "bets-answer" });
  const next = button("next map", () => {
    at++;
    show();
    choices[0].focus({ preventScroll: true });
  });
  const ask = make("div", { className: "cw-bar" }, make("span", {}, "This head is"), ...choices, next);
  const end = make("div", { className: "bets-end", role: "status" });
  root.append(count, caption, make("div", { className: "bets-sides" },
    make("div", { className: "bets-map" }, rows, make("div", { className: "bets-board" }, canvas, edge.node), columns, scale), make("div", {}, ask, answerBox, end)));

  /** @param {boolean} trained */
  function answer(trained) {
    bet[at] = trained;
    show();
    (at + 1 < bets.length ? next : end).focus({ preventScroll: true });
    (end.hidden ? answerBox : end).scrollIntoView({ block: "nearest" });
  }

  const seen = (/** @type {number} */ query, /** @type {number} */ key) => key <= query;
  edge.show(size, size, seen);

  function fooled() {
    return bet.filter((trained, i) => trained !== isTrained(bets[i])).length;
  }

  function show() {
    const one = bets[at], done = bet[at] !== undefined, weights = shares(one.weights);
    const score = bet.length ? `, ${bet.length - fooled()} of ${bet.length} right` : "";
    count.textContent = `Map ${at + 1} of ${bets.length}${score}. A row is a word that looks, a column a word that it looks at.`;
    caption.textContent = `“${one.caption}”`;
    const full = new Float64Array(size * size), most = done ? 1 : Math.max(...weights.slice(1));
    for (let query = 0, i = 0; query < size; query++) for (let key = 0; key <= query; key++, i++) full[query * size + key] = Math.min(weights[i] / most, 1);
    scale.replaceChildren("weight: 0 ", make("i"), done ? " 1" : " the largest here");
    drawMap(canvas, full, size, size, seen);
    canvas.setAttribute("aria-label", `a map of weights: ${words.map((word, query) => {
      const row = full.slice(query * size, query * size + query + 1);
      return `“${word}” looks most at “${words[row.indexOf(Math.max(...row))]}”`;
    }).join(", ")}`);
    choices.forEach((choice, i) => {
      choice.disabled = done;
      choice.setAttribute("aria-pressed", String(bet[at] === (i === 0)));
      choice.classList.toggle("bets-right", done && (i === 0) === isTrained(one));
    });
    answerBox.classList.toggle("bets-right", done && bet[at] === isTrained(one));
    next.hidden = !done || at + 1 === bets.length;
    answerBox.replaceChildren(...(done ? revealed(one) : [make("p", {}, "The strongest colour is the largest weight of this map: plotting code draws it so, unless it is told otherwise.")]));
    end.hidden = !done || at + 1 < bets.length;
    if (!end.hidden) end.replaceChildren(...lastWords());
  }

  /** @param {Bet} one */
  function revealed(one) {
    const right = bet[at] === isTrained(one), [layer, head] = one.head, name = isTrained(one) ? "trained" : "untrained";
    const rungs = [
      ["the number", `on ${sentences} other sentences the caption's weight is ${one.number.toFixed(2)}. The best of 160 untrained heads has ${one.best_untrained.toFixed(2)}.`],
      ["the ablation", `the model's verb is right in ${share(one.accuracy)}; without this head in ${share(one.without)}, without another one in ${share(one.without_another)} on average.`],
      ["the prediction", `with “old” before the subject, the weight should still be ${one.number.toFixed(2)}. It is ${one.moved.toFixed(2)}.`],
    ];
    return [heading(`${right ? "Right" : "Fooled"}: it is ${name}`), make("p", {}, `Head ${head} of layer ${layer}. The map now has the scale from 0 to 1.`),
      make("dl", {}, ...rungs.flatMap(([rung, says]) => [make("dt", {}, rung), make("dd", {}, says)]))];
  }

  function lastWords() {
    const score = fooled(), line = `I was fooled ${score} of ${bets.length}.`;
    const link = new URL(`#fooled=${score}`, location.href.split("#")[0]).href, told = make("span", { role: "status" });
    const copy = button("copy this as a link", () => {
      const said = () => {
        told.textContent = " copied";
      };
      navigator.clipboard?.writeText(`${line} ${link}`).then(said, () => (told.textContent = " " + link));
    });
    const again = button("play again", () => {
      for (let i = bets.length - 1; i > 0; i--) {
        const other = Math.floor(Math.random() * (i + 1));
        [bets[i], bets[other]] = [bets[other], bets[i]];
      }
      bet.length = at = 0;
      show();
      root.scrollIntoView({ block: "nearest" });
      choices[0].focus({ preventScroll: true });
    });
    end.tabIndex = -1;
    const verdict = score < 3 ? "Few coins do so well." : score > 7 ? "Few coins do so badly." : "Yours is among those.";
    return [heading(line), make("p", {}, `A coin that is tossed for each map is fooled five times on average, and three to seven times in nine games of ten. ${verdict} A picture is where a question comes from; the answers stand on the rungs above it.`),
      make("div", { className: "cw-bar" }, again, copy), told];
  }

  const asked = /^#fooled=(\d+)$/.exec(location.hash);
  if (asked) root.prepend(make("p", { className: "bets-challenge" }, `Whoever sent you here was fooled ${asked[1]} of ${bets.length}. And you?`));
  followPage(root, show);
  show();
}

/** @param {number} accuracy */
const share = (accuracy) => `${Math.round(100 * accuracy)} of 100`;

const place = document.getElementById("bets"), data = document.getElementById("the-bets");
if (place && data) mountBets(place, JSON.parse(data.textContent ?? ""));
