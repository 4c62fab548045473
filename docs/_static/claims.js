// The claims page: bars that say how many claims are true, and show those of one verdict.
addEventListener("DOMContentLoaded", () => {
  const cards = [...document.querySelectorAll(".bd-article li:has(> p > .verdict)")];
  if (!cards.length) return;
  const kinds = { false: "false", only: "true only if …", depends: "it depends", true: "true" };
  const kindOf = (card) => Object.keys(kinds).find((kind) => card.querySelector(".verdict").classList.contains(kind));
  const bar = document.createElement("div");
  bar.className = "claims-bar";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "claims by verdict");
  const folds = [...document.querySelectorAll("details.claims")];
  let chosen = "", opened = []; // by the reader
  const buttons = Object.entries(kinds).map(([kind, name]) => {
    const one = document.createElement("button"), count = cards.filter((card) => kindOf(card) === kind).length;
    const number = document.createElement("b");
    number.textContent = count;
    one.append(number, name);
    one.className = kind;
    one.style.setProperty("--share", count / cards.length);
    one.addEventListener("click", () => {
      if (!chosen) opened = folds.filter((fold) => fold.open);
      chosen = chosen === kind ? "" : kind;
      for (const fold of folds) fold.open = Boolean(chosen) || opened.includes(fold);
      show();
    });
    return one;
  });
  const said = document.querySelector(".bd-article h1 ~ p:last-of-type"), counts = `${said.textContent} A press on a verdict shows its claims alone.`;
  said.setAttribute("role", "status");
  const all = Object.assign(document.createElement("button"), { textContent: `Show all ${cards.length}`, className: "course-button", onclick: () => buttons.find((one) => one.className === chosen).click() });
  bar.append(...buttons);
  document.querySelector(".bd-article h1").after(bar, said);
  function show() {
    buttons.forEach((one) => one.setAttribute("aria-pressed", String(one.className === chosen)));
    for (const fold of folds) fold.firstElementChild.hidden = Boolean(chosen); // it counts all
    for (const card of cards) card.hidden = Boolean(chosen) && kindOf(card) !== chosen;
    for (const part of document.querySelectorAll(".bd-article section section")) {
      part.hidden = part.querySelector("li:has(> p > .verdict)") !== null && part.querySelector("li:has(> p > .verdict):not([hidden])") === null;
    }
    const shown = cards.filter((card) => !card.hidden).length;
    said.textContent = chosen ? `${shown} of ${cards.length} claims are shown. ` : counts;
    if (chosen) said.append(all);
  }
  show();
  // A link to a subject opens its claims.
  const openTheLinked = () => folds.find((fold) => fold.parentElement.id === decodeURIComponent(location.hash.slice(1)))?.setAttribute("open", "");
  addEventListener("hashchange", openTheLinked);
  openTheLinked();
});
