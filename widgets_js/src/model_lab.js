// @ts-nocheck
// What a language model expects next, all its heads, and the same without some of them. The model
// runs in Python; where there is none, the stored runs can be chosen.
import { drawMap, percent, shade } from "./shared/colours.js";
import { radioGroup } from "./shared/controls.js";
import { make, widgetRoot } from "./shared/elements.js";

const PATIENCE = 10000; // milliseconds
const SCALES = [0.1, 0.2, 0.5, 1]; // what a whole bar may stand for
const TOP = 5; // so many keys are named in words
const LABELS = 32; // so many tokens are written beside the map

/**
 * @param {HTMLElement} el
 * @param {import("./shared/model.js").Model} model
 */
export function mountModelLab(el, model) {
  const { layers, heads, scores } = model.get("_data");
  const stored = model.get("_stored");
  const get = (name) => model.get(name);
  const save = (changes) => {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  };
  const token = (text) => make("bdi", { dir: "auto", title: text, className: "cw-token" }, text);
  const quoted = (text, after = "") => make("span", { className: "cw-quoted" }, "'", token(text), `'${after}`);
  const whole = (weight) => (100 * weight).toFixed(0) + "%";
  const share = (probability) => (probability < 0.0005 ? "<0.1%" : percent(probability));
  const button = (text, onClick) => {
    const node = make("button", { type: "button" }, text);
    node.addEventListener("click", onClick);
    return node;
  };

  // What is asked for, and what is shown.
  const keyOf = (run) => JSON.stringify([run.text, run.off]);
  const asked = () => ({ text: get("text"), off: get("off") });
  const answered = () => keyOf(get("answer")) === keyOf(asked());
  const find = (run) => [...stored, get("_live")].find((known) => known?.text !== undefined && keyOf(known) === keyOf(run));
  let shown, weights, grid, query, key;
  const length = () => shown.pieces.length;
  const chosen = () => get("layer") * heads + get("head");
  const isOff = (i) => shown.off.some(([layer, head]) => layer * heads + head === i);
  const nameOf = (i) => `layer ${Math.floor(i / heads)}, head ${i % heads}`;
  const weightOf = (i, query, key) => weights[i * length() * (length() + 1) / 2 + query * (query + 1) / 2 + key] / 255;
  const rowOf = (i, query) => Array.from({ length: query + 1 }, (_, key) => weightOf(i, query, key));

  const root = widgetRoot(el, "Model lab");
  const field = make("input", { type: "text", "aria-label": "text", spellcheck: false });
  const read = make("button", {}, "Read");
  const form = make("form", { className: "cw-bar" }, field, read);
  const message = make("p", { role: "alert" });
  const status = make("p", { role: "status", "aria-live": "polite", className: "cw-status" });
  let waiting;
  const ask = (text, off) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      if (!answered()) message.textContent = "No answer from Python yet. Is the kernel running and free? The stored runs can be chosen without it.";
    }, PATIENCE);
    save({ text, off });
    update();
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(field.value, get("off"));
  });
  const namesOff = (off) => (off.length > 3 ? `${off.length} heads` : off.map(([layer, head]) => `${layer}.${head}`).join(", "));
  const runPicker = radioGroup("stored run", "cw-chips", stored.map(({ text, off }) =>
    make("button", { type: "button", title: text }, token(text.replace(/\s+/g, " ")), off.length ? ` without ${namesOff(off)}` : "")),
  (i) => ask(stored[i].text, stored[i].off));
  const runs = make("div", { className: "cw-runs" }, make("span", {}, "stored runs"), runPicker.node);

  // The next tokens.
  const nextTitle = make("h4"), nextHead = make("thead"), nextBody = make("tbody");
  const offText = make("p"), allSwitch = button("switch all on", () => setOff([]));
  const nextBox = make("div", { className: "cw-next" }, nextTitle,
    make("table", { className: "cw-wide" }, nextHead, nextBody), offText, allSwitch);

  // Every head.
  const names = Object.keys(scores), says = make("span");
  const scorePicker = radioGroup("score", "cw-chips", names.map((name) => make("button", { type: "button" }, name)),
    (i) => save({ score: names[i] }));
  const select = (label, onChange) => {
    const node = make("select", { "aria-label": label });
    node.addEventListener("change", () => onChange(+node.value));
    return node;
  };
  const keySelect = select("token looked at", (value) => {
    key = value;
    showScores();
  });
  const choose = (i) => save({ layer: Math.floor(i / heads), head: i % heads });
  const cells = Array.from({ length: layers * heads }, (_, i) => {
    const cell = make("div", { role: "gridcell" });
    cell.addEventListener("click", () => choose(i));
    cell.addEventListener("dblclick", () => toggle(i));
    return cell;
  });
  const lines = Array.from({ length: layers }, (_, layer) => make("div", { role: "row" },
    make("span", { role: "rowheader", "aria-label": `layer ${layer}` }, String(layer)),
    ...cells.slice(layer * heads, (layer + 1) * heads)));
  const headerLine = make("div", { role: "row" }, make("span", { role: "columnheader", "aria-label": "layer" }),
    ...Array.from({ length: heads }, (_, head) => make("span", { role: "columnheader", "aria-label": `head ${head}` }, String(head))));
  const board = make("div", { role: "grid", className: "cw-every", "aria-label": "heads: a row for each layer, a column for each head" },
    headerLine, ...lines);
  board.style.setProperty("--heads", heads);
  board.addEventListener("keydown", (event) => {
    const i = chosen(), row = i - i % heads;
    const moves = { ArrowRight: i + 1, ArrowLeft: i - 1, ArrowDown: i + heads, ArrowUp: i - heads,
      Home: row, End: row + heads - 1, PageDown: i + 5 * heads, PageUp: i - 5 * heads };
    if (event.key === " " || event.key === "Enter") toggle(i);
    else if (!(event.key in moves)) return;
    else if (cells[moves[event.key]]) {
      choose(moves[event.key]);
      cells[chosen()].focus();
    }
    event.preventDefault();
  });

  // Switches. While an answer is on its way, they change what was asked for.
  const base = () => (answered() && !find(asked()) ? shown : asked());
  const setOff = (off) => ask(base().text, off.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
  function toggle(i) {
    if (model.isPage) return;
    const { off } = base(), pair = [Math.floor(i / heads), i % heads];
    const others = off.filter(([layer, head]) => layer !== pair[0] || head !== pair[1]);
    setOff(others.length < off.length ? others : [...off, pair]);
  }
  const best = () => {
    const left = grid ? [...grid.keys()].filter((i) => !base().off.some(([layer, head]) => layer * heads + head === i)) : [];
    return left.sort((a, b) => grid[b] - grid[a])[0];
  };
  const oneSwitch = button("", () => toggle(chosen()));
  const bestSwitch = button("switch off the best of this score", () => {
    choose(best());
    toggle(chosen());
  });
  const scoreBox = make("div", { className: "cw-score" },
    make("div", { className: "cw-chips" }, make("h4", {}, "every head"), scorePicker.node),
    make("p", {}, "colour: ", says, keySelect, make("span", { className: "cw-scale" }, "  0 ", make("i"), " 1")));
  const gridBox = make("div", { className: "cw-grid-box" }, board, make("p", {}, "Arrow keys choose a head, Space switches it."));

  // One head.
  const mapTitle = make("h4"), map = make("canvas", { role: "img" }), mark = make("i", { className: "cw-mark" });
  const rowLabels = make("div", { className: "cw-rows", "aria-hidden": "true" });
  const columnLabels = make("div", { className: "cw-columns", "aria-hidden": "true" });
  const mapBoard = make("div", { className: "cw-board" }, map, mark);
  mapBoard.style.aspectRatio = 1;
  const mapBox = make("div", { className: "cw-map" }, rowLabels, mapBoard, columnLabels);
  const readout = make("p", { "aria-hidden": "true" }), words = make("span");
  const querySelect = select("query", (value) => {
    query = value;
    showRow();
  });
  const caption = make("caption"), body = make("tbody");
  const table = make("details", {}, make("summary", {}, "This query's weights as a table"), make("div", { className: "cw-scroll", tabIndex: 0 },
    make("table", {}, caption, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "key"), make("th", { scope: "col" }, "weight"))), body)));
  const oneBox = make("div", { className: "cw-one" }, mapTitle, make("div", { className: "cw-chips" }, oneSwitch, bestSwitch),
    mapBox, readout, make("p", {}, make("label", {}, "query ", querySelect), " ", words), table);
  const main = make("div", { className: "cw-model" }, nextBox, scoreBox, gridBox, oneBox);
  root.append(form, runs, message, status, main);

  function update() {
    const run = find(asked());
    if (run && run !== shown) draw(run);
    const pending = !run && !answered();
    root.setAttribute("aria-busy", pending);
    runPicker.choose(stored.indexOf(run));
    if (!stored.includes(run)) runPicker.items[0].tabIndex = 0;
    if (model.isPage) message.textContent = "To type a text or to switch heads, run this cell in a notebook: that needs a running kernel. Here, choose a stored run.";
    else message.textContent = pending ? "The model is computing …" : run ? "" : get("answer").message;
  }

  function draw(run) {
    const fresh = shown?.text !== run.text;
    shown = run;
    weights = Uint8Array.from(atob(run.weights), (c) => c.charCodeAt(0));
    if (fresh) {
      query = length() - 1;
      key = Math.max(length() - 2, 0);
      const options = () => run.pieces.map((piece, i) => make("option", { value: i }, `${i}  ${piece}`));
      querySelect.replaceChildren(...options());
      keySelect.replaceChildren(...options());
      querySelect.value = query;
      keySelect.value = key;
      const step = Math.ceil(length() / LABELS);
      const labels = () => run.pieces.filter((_, i) => i % step === 0).map((piece) => make("span", { dir: "auto" }, piece));
      rowLabels.replaceChildren(...labels());
      columnLabels.replaceChildren(...labels());
      mapBox.classList.toggle("cw-dense", length() > 16);
      mapBox.style.setProperty("--board", Math.min(60 * length(), 310) + "px");
    }
    showNext();
    showScores();
    showHead();
  }

  function showNext() {
    const { next, off } = shown, some = off.length > 0;
    const top = (column) => next.reduce((most, one) => (one[column] > most[column] ? one : most));
    const now = top(2), before = top(1), most = Math.max(now[2], before[1]);
    const scale = SCALES.find((limit) => most <= limit) ?? 1;
    status.replaceChildren(some ? `Without ${namesOff(off)}` : "All heads on",
      ": the likeliest next token is ", quoted(now[0], `, ${percent(now[2])}`),
      ...(some ? ["; with all heads on, ", quoted(before[0], `, ${percent(before[1])}`)] : []));
    nextTitle.textContent = `next token (full bar: ${whole(scale)})`;
    const column = (text, className = "") => make("th", { scope: "col", className }, text);
    nextHead.replaceChildren(make("tr", {}, column("token"), column("probability"), column("all on", "cw-with"),
      ...(some ? [column(`${off.length} off`, "cw-without")] : [])));
    const bar = (probability, className) => {
      const fill = make("i", { className });
      fill.style.width = 100 * probability / scale + "%";
      return make("span", { className: "cw-track" }, fill);
    };
    nextBody.replaceChildren(...next.map(([text, all, without]) => make("tr", {},
      make("th", { scope: "row" }, token(text)),
      make("td", { className: "cw-cell" }, bar(all, ""), ...(some ? [bar(without, "cw-without")] : [])),
      make("td", {}, share(all)), ...(some ? [make("td", {}, share(without))] : []))));
    offText.textContent = some ? "Off (layer.head): " + off.map(([layer, head]) => `${layer}.${head}`).join(", ") : "";
  }

  function showScores() {
    const name = get("score"), sent = shown.scores[name];
    scorePicker.choose(names.indexOf(name));
    keySelect.hidden = name in shown.scores;
    if (sent) grid = Array.from(atob(sent), (c) => c.charCodeAt(0) / 255);
    else grid = sent === null ? null : cells.map((_, i) => weightOf(i, length() - 1, key));
    says.textContent = scores[name] + (grid ? " " : ": this text has no such pair of tokens");
    cells.forEach((cell, i) => {
      shade(cell, grid && grid[i]);
      const off = isOff(i), value = grid ? grid[i].toFixed(2) : "no score";
      cell.textContent = off ? "×" : "";
      cell.classList.toggle("cw-off", off);
      cell.title = `${nameOf(i)}: ${value}${off ? ", off" : ""}`;
      cell.setAttribute("aria-label", cell.title);
    });
    const candidate = best();
    bestSwitch.disabled = model.isPage || candidate === undefined;
    allSwitch.disabled = model.isPage || !shown.off.length;
    showChoice();
  }

  function showChoice() {
    const i = chosen(), score = grid ? `: ${get("score")} ${grid[i].toFixed(2)}` : "";
    cells.forEach((cell, j) => {
      cell.setAttribute("aria-selected", i === j);
      cell.tabIndex = i === j ? 0 : -1;
    });
    oneSwitch.textContent = `switch ${isOff(i) ? "on" : "off"} this head`;
    mapTitle.textContent = nameOf(i) + (isOff(i) ? " (off)" : "") + score;
  }

  function showHead() {
    const i = chosen(), n = length(), full = new Float64Array(n * n);
    showChoice();
    for (let query = 0; query < n; query++) full.set(rowOf(i, query), query * n);
    drawMap(map, full, n, n, (query, key) => key <= query);
    map.setAttribute("aria-label", `weights of ${nameOf(i)}: a row for each query, a column for each key`);
    showRow();
  }

  function showRow() {
    const row = rowOf(chosen(), query), n = length();
    querySelect.value = query;
    mark.style.cssText = `top:${100 * query / n}%;height:${100 / n}%;left:0;right:0`;
    const order = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, TOP).filter((key) => row[key] >= 0.01);
    words.replaceChildren(quoted(shown.pieces[query]), " looks at ",
      ...order.flatMap((key, i) => [i ? ", " : "", quoted(shown.pieces[key], ` ${whole(row[key])}`)]));
    caption.replaceChildren(`${nameOf(chosen())}, query `, quoted(shown.pieces[query]));
    body.replaceChildren(...row.map((weight, key) => make("tr", {},
      make("th", { scope: "row" }, token(shown.pieces[key])), make("td", {}, whole(weight)))));
  }

  const cellAt = (event) => {
    const box = map.getBoundingClientRect(), n = length();
    return [(event.clientY - box.top) / box.height, (event.clientX - box.left) / box.width]
      .map((part) => Math.min(Math.max(Math.floor(part * n), 0), n - 1));
  };
  const rest = () => {
    readout.textContent = "Point at a cell; click to choose its query.";
  };
  map.addEventListener("pointermove", (event) => {
    const [query, key] = cellAt(event);
    readout.replaceChildren(quoted(shown.pieces[query]), " → ", quoted(shown.pieces[key]), " ",
      key <= query ? whole(weightOf(chosen(), query, key)) : "masked");
  });
  map.addEventListener("pointerleave", rest);
  map.addEventListener("click", (event) => {
    [query] = cellAt(event);
    showRow();
  });

  if (model.isPage) field.disabled = read.disabled = oneSwitch.disabled = true;
  rest();
  const showText = () => {
    field.value = get("text");
    update();
  };
  draw(find(asked()) ?? stored[0]);
  showText();
  const listeners = { text: showText, off: update, answer: update, _live: update,
    layer: showHead, head: showHead, score: showScores };
  for (const name in listeners) model.on("change:" + name, listeners[name]);
  return () => {
    clearTimeout(waiting);
    for (const name in listeners) model.off("change:" + name, listeners[name]);
  };
}

export { pageModel } from "./shared/model.js";
/** @param {import("./shared/model.js").Place} place */
export const render = ({ model, el }) => mountModelLab(el, model);
