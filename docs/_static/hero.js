// The front page's first screen: after two seconds two heads go out, once, and then it is the reader's.
// Numbers and words were measured (tools/site/hero.py): without each head alone, without each beside the
// last of the two, and without twenty pairs by chance.
{
  const hero = document.getElementById("hero"), { text, off: chosen, all, thousandths, changed, draws } = JSON.parse(document.getElementById("hero-numbers").textContent);
  const HEADS = 9, main = chosen.at(-1), gone = hero.querySelector(".hero-gone"), fresh = hero.querySelector(".hero-fresh");
  const [status, share, bar] = [".hero-status", ".hero-bar b", ".hero-bar i"].map((selector) => hero.querySelector(selector));
  const squares = [...hero.querySelectorAll(".hero-board button")], pairs = [...hero.querySelectorAll(".hero-pairs button")], ticks = [...hero.querySelectorAll(".hero-ticks span")];
  const named = (heads) => heads.map((head) => `head ${head % HEADS} of layer ${Math.floor(head / HEADS)}`).join(" and ");
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const turn = document.getElementById("hero-switch"), further = document.getElementById("hero-further");
  let off = [], again = [], shown = all, latest = 0, playing = true;

  /** What was measured without these heads: thousandths of the word, and what is written in its place. */
  function measured(heads) {
    if (!heads.length) return [all];
    if (heads.length === 1) return [thousandths.alone[heads[0]], changed.alone[heads[0]]];
    const draw = draws.findIndex((pair) => String(pair) === String(heads));
    if (draw >= 0) return [thousandths.draws[draw], undefined];
    const other = heads.find((head) => head !== main);
    return [thousandths.pairs[other], changed.pairs[other]];
  }

  /** The pairs were drawn beside the two heads of the story: beside other choices they compare nothing. */
  const compare = () => hero.classList.toggle("undrawn", !playing && ![[], chosen, ...draws].some((heads) => String(heads) === String(off)));

  /** Few of the squares change at a tap, and a phone looks anew at each that is written. */
  const mark = (button, name, value) => {
    if (button.getAttribute(name) !== String(value)) button.setAttribute(name, String(value));
  };

  /** What stands there already is not laid out anew. */
  const write = (node, text) => {
    if (node.textContent !== text) node.textContent = text;
  };

  /** Bar and number, in thousandths. */
  function fill(left) {
    bar.style.setProperty("--left", `${(shown = left) / 10}%`);
    write(share, `${Math.round(left / 10)}%`);
  }

  /** Say what came of it, in the headline and below the bar, when the bar has arrived. */
  function arrive() {
    const [left, words] = measured(off);
    fill(left);
    hero.classList.toggle("broken", Boolean(words));
    if (words || !playing) write(fresh, words ?? ""); // until it has played, the words hold their place
    if (off.length) write(status, `${which()}${words ? "" : " No word changes."}`);
    if (off.length === 1 && off[0] !== main && !words && !playing) status.append(` Press ${named([main])} as well.`);
    // The headline shows it; who listens is told.
    if (off.length && words) status.append(Object.assign(document.createElement("span"), { textContent: ` It says “${words}” instead.` }));
  }
  const which = () => {
    if (!off.length) return "All 270 heads are on: each looks from one word at others.";
    if (off.length === 1) return `One of 270 heads is off: ${named(off)}.`;
    return again.length ? `At most two here: ${named(again)} is on again.` : `Two of 270 heads are off: ${named(off)}.`;
  };

  /** Take these heads out; some are on again for them. Bar and number move together, and until they arrive nothing else is said. */
  function show(heads, milliseconds = 300, on = []) {
    const mine = ++latest, from = shown, start = performance.now(), [to] = measured(off = heads);
    again = on;
    squares.forEach((button, head) => mark(button, "aria-selected", off.includes(head)));
    pairs.forEach((button, i) => mark(button, "aria-pressed", String(draws[i]) === String(off)));
    write(status, which());
    compare();
    write(turn, off.length ? (off.length > 1 ? "Switch them back on" : "Switch it back on") : "Switch two off");
    further.hash = new URLSearchParams({ text, off: off.map((head) => `${Math.floor(head / HEADS)}.${head % HEADS}`).join(",") });
    return new Promise((done) => {
      function move(now) {
        const way = Math.max(0, (now - start) / milliseconds);
        if (mine === latest && way >= 1) arrive();
        if (mine !== latest || way >= 1) return done();
        fill(from + (to - from) * (1 - (1 - way) ** 3));
        requestAnimationFrame(move);
      }
      move(calm ? Infinity : start);
    });
  }

  /** What a press makes of the heads that are off: one alone, or one beside the main one, since these were measured. */
  function pressed(head) {
    if (off.includes(head)) return off.filter((other) => other !== head);
    if (head === main) return [...off.slice(0, 1), main];
    return off.includes(main) ? [head, main] : [head];
  }

  const wait = (milliseconds) => new Promise((go) => setTimeout(go, calm ? 0 : milliseconds));
  const done = (count) => [pairs, ticks].forEach((row) => row.forEach((one, i) => one.classList.toggle("done", i < count)));
  async function play() {
    await new Promise((go) => requestAnimationFrame(() => setTimeout(go))); // it is painted
    await wait(2000);
    for (let count = 1; count <= chosen.length && playing; count++) {
      await show(chosen.slice(0, count), 700);
      await wait(900);
    }
    for (let count = 0; count <= pairs.length && playing; count++) {
      done(count);
      await wait(count ? 60 : 400);
    }
    stop();
  }
  function stop() {
    if (playing) {
      latest++; // what still moves has arrived
      arrive();
    }
    playing = false;
    compare();
    done(pairs.length);
    hero.classList.add("played");
  }
  hero.addEventListener("pointerdown", stop, true);
  hero.addEventListener("keydown", stop, true);

  squares.forEach((button, head) => button.addEventListener("click", () => {
    const heads = pressed(head);
    show(heads, 300, off.filter((one) => one !== head && !heads.includes(one)));
  }));
  pairs.forEach((button, i) => button.addEventListener("click", () => show(draws[i])));
  turn.addEventListener("click", () => show(off.length ? [] : chosen));

  // Each board is one stop of the keyboard, and its arrows lead from square to square.
  for (const [buttons, moves] of [[squares, { ArrowRight: HEADS, ArrowLeft: -HEADS, ArrowDown: 1, ArrowUp: -1 }], [pairs, { ArrowRight: 1, ArrowLeft: -1 }]]) {
    const stopAt = (i) => buttons.forEach((button, other) => mark(button, "tabindex", other === i ? 0 : -1));
    stopAt(buttons === squares ? main : 0);
    buttons.forEach((button, i) => {
      button.addEventListener("focus", () => stopAt(i));
      button.addEventListener("keydown", (event) => {
        const next = buttons[i + moves[event.key]];
        if (!next) return;
        event.preventDefault();
        next.focus();
      });
    });
  }
  play();
}
