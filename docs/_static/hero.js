// The front page's first screen: after a second two heads go out, once, and then it is the reader's.
// Numbers and words were measured (tools/site/hero.py): without each head alone, without each beside the
// last of the two, and without twenty pairs by chance.
{
  const hero = document.getElementById("hero"), { text, off: chosen, all, thousandths, changed, draws } = JSON.parse(document.getElementById("hero-numbers").textContent);
  const HEADS = 9, main = chosen.at(-1), gone = hero.querySelector(".hero-gone"), fresh = hero.querySelector(".hero-fresh");
  const [status, share, bar] = [".hero-status", ".hero-bar b", ".hero-bar i"].map((selector) => hero.querySelector(selector));
  const squares = [...hero.querySelectorAll(".hero-board button")], pairs = [...hero.querySelectorAll(".hero-pairs button")];
  const named = (heads) => heads.map((head) => `head ${head % HEADS} of layer ${Math.floor(head / HEADS)}`).join(" and ");
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches, word = gone.textContent.replace(/\.$/, "");
  const opening = fresh.textContent, turn = document.getElementById("hero-switch"), further = document.getElementById("hero-further");
  let off = [], playing = true;
  const FALL = 700, STEPS = 14; // the milliseconds of the bar in hero.css, and of how many numbers on its way

  /** What was measured without these heads: thousandths of the word, and what is written in its place. */
  function measured(heads) {
    if (!heads.length) return [all];
    if (heads.length === 1) return [thousandths.alone[heads[0]], changed.alone[heads[0]]];
    const draw = draws.findIndex((pair) => String(pair) === String(heads));
    if (draw >= 0) return [thousandths.draws[draw], undefined];
    const other = heads.find((head) => head !== main);
    return [thousandths.pairs[other], changed.pairs[other]];
  }

  /** Few of the squares change at a tap, and a phone looks anew at each that is written. */
  const mark = (button, name, value) => {
    if (button.getAttribute(name) !== String(value)) button.setAttribute(name, String(value));
  };

  /** Take these heads out; the bar moves by itself. */
  function take(heads) {
    bar.style.setProperty("--left", `${measured(off = heads)[0] / 10}%`);
    squares.forEach((button, head) => mark(button, "aria-selected", off.includes(head)));
    pairs.forEach((button, i) => mark(button, "aria-pressed", String(draws[i]) === String(off)));
  }

  /** Write what came of it: in the headline, beside the bar and below it. */
  function say() {
    const [left, words] = measured(off), percent = Math.round(left / 10), number = ["All 270 heads are on", "One of 270 heads is off", "Two of 270 heads are off"][off.length];
    hero.classList.toggle("broken", Boolean(words));
    hero.classList.toggle("long", (words ?? "").length > 18);
    if (words) fresh.textContent = words;
    share.textContent = `${percent}%`;
    const names = named(off), what = words ? `It says “${words}” instead.` : `${word} moves to ${percent}%, and no word changes.`;
    status.textContent = off.length ? `${number}: ${names}. ${what}` : `${number}.`;
    turn.textContent = off.length ? (off.length > 1 ? "Switch them back on" : "Switch it back on") : "Switch two off";
    further.hash = new URLSearchParams({ text, off: off.map((head) => `${Math.floor(head / HEADS)}.${head % HEADS}`).join(",") });
  }

  function show(heads) {
    take(heads);
    say();
  }

  /** What a press makes of the heads that are off: one alone, or one beside the main one, since these were measured. */
  function pressed(head) {
    if (off.includes(head)) return off.filter((other) => other !== head);
    if (head === main) return [...off.slice(0, 1), main];
    return off.includes(main) ? [head, main] : [head];
  }

  const wait = (milliseconds) => new Promise((go) => setTimeout(go, calm ? 0 : milliseconds));
  const done = (count) => pairs.forEach((button, i) => button.classList.toggle("done", i < count));
  /** The words come behind what they speak of: behind the bar's fall, and behind the pairs. */
  async function play() {
    await wait(1000);
    for (let count = 1; count <= chosen.length && playing; count++) {
      const [from] = measured(off);
      take(chosen.slice(0, count));
      const [to] = measured(off);
      for (let step = 1; step <= STEPS && playing; step++) {
        await wait(FALL / STEPS);
        if (playing) share.textContent = `${Math.round((from + (to - from) * (step / STEPS)) / 10)}%`;
      }
      await Promise.allSettled(bar.getAnimations().map((moves) => moves.finished));
      if (playing) say();
      await wait(900);
    }
    for (let count = 0; count <= pairs.length && playing; count++) {
      hero.classList.add("trying");
      done(count);
      await wait(count ? 60 : 400);
    }
    stop();
  }
  function stop() {
    if (playing) say();
    playing = false;
    done(pairs.length);
    hero.classList.add("trying", "played");
  }
  hero.addEventListener("pointerdown", stop, true);
  hero.addEventListener("keydown", stop, true);

  squares.forEach((button, head) => button.addEventListener("click", () => show(pressed(head))));
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
