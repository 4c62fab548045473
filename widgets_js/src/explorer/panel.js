// One query (or one key) up close: which, and its weights in one of four views.
import { radioGroup } from "../shared/controls.js";
import { heading, make } from "../shared/elements.js";
import { bars } from "./bars.js";
import { lines } from "./lines.js";
import { picker } from "./picker.js";
import { steps } from "./steps.js";
import { text } from "./text.js";
import { EXTRA } from "./toolbar.js";

const VIEWS = ["lines", "bars", "text", "steps"];
const ASKS = ["query", "key"];

/**
 * The question is turned round: about the token that was chosen, where queries and keys are the same.
 * @param {import("./look.js").Look} look
 * @param {string} asks
 */
function sameToken(look, asks) {
  const was = look.get("asks");
  return look.data.isSelf && asks !== was ? { [asks]: look.get(was) } : {};
}

/** @param {HTMLElement} node */
function inMore(node) {
  node.classList.add(EXTRA);
  return node;
}

/** @param {import("./look.js").Look} look */
export function panel(look) {
  const asks = radioGroup("question", "cw-chips", ["where does it look", "who looks at it"],
    (i) => look.set({ asks: ASKS[i], ...sameToken(look, ASKS[i]) }));
  const pickers = { query: picker(look, "query"), key: picker(look, "key") };
  const view = radioGroup("view", "cw-chips cw-views", VIEWS.map((name) => (look.data.picture && name === "text" ? "picture" : name)),
    (i) => look.set({ view: VIEWS[i] }));
  const title = heading(), partnerTitle = heading();
  /** @type {Record<string, {node: HTMLElement, update: () => void}>} */
  const views = { bars: bars(look), text: text(look), lines: lines(look), steps: steps(look) };
  const node = make("div", { className: "cw-panel-box" },
    make("div", { className: "cw-bar cw-ask" }, title, inMore(asks.node)), pickers.query.node, pickers.key.node,
    make("div", { className: `cw-bar cw-ask ${EXTRA}` }, partnerTitle, view.node), ...VIEWS.map((name) => views[name].node));
  return {
    node,
    update() {
      const isKey = look.asksKey(), shown = look.get("view");
      asks.choose(ASKS.indexOf(look.get("asks")));
      view.choose(VIEWS.indexOf(shown));
      title.textContent = isKey ? "key (looked at)" : "query (looking)";
      title.className = isKey ? "cw-as-key" : "cw-as-query";
      partnerTitle.textContent = isKey ? "query (looking)" : "key (looked at)";
      partnerTitle.className = isKey ? "cw-as-query" : "cw-as-key";
      pickers.query.node.hidden = isKey && shown !== "steps";
      pickers.key.node.hidden = !isKey || shown === "steps";
      pickers[pickers.key.node.hidden ? "query" : "key"].update();
      for (const name of VIEWS) views[name].node.hidden = name !== shown;
      views[shown].update();
    },
  };
}
