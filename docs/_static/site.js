// From a folder, a page may not read another one: the search then shows titles without excerpts.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// What is too wide for the page scrolls by itself. It can be reached by keyboard while it does.
const WIDE = ["table", "pre", "mjx-container", ".output", "[style*=overflow]", ".pst-scrollable-table-container"];
function letScroll() {
  const all = document.querySelectorAll(WIDE.map((one) => `.bd-article ${one}:not(.cw *)`));
  const scrolls = [...all].map(
    (one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === "auto",
  );
  all.forEach((one, i) => {
    if (scrolls[i]) one.tabIndex = 0;
    else if (one.tabIndex === 0) one.removeAttribute("tabindex");
  });
}
let asked = 0;
function soon() {
  cancelAnimationFrame(asked);
  asked = requestAnimationFrame(letScroll);
}
addEventListener("load", () => (globalThis.MathJax?.startup?.promise ?? Promise.resolve()).then(soon));
addEventListener("resize", soon);
addEventListener("toggle", soon, true); // what was folded has a width now

// On a phone the contents of the page lie over it: they give way when a section is chosen.
addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("dialog[open] a[href^='#']");
  if (link) link.closest("dialog").close();
});

// An excerpt in the search is taken from what a page says: without buttons, contents and widgets.
addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return;
  Search.htmlToText = (source, anchor) => {
    const article = new DOMParser().parseFromString(source, "text/html").querySelector(".bd-article");
    if (!article) return "";
    const furniture = ".headerlink, .course-buttons, .cw, svg, img, script, style, .what-happens > summary";
    for (const one of article.querySelectorAll(furniture)) one.remove();
    const section = anchor ? article.querySelector(`[id="${CSS.escape(anchor.slice(1))}"]`) : null;
    return (section ?? article).textContent.replace(/\\[()[\]]/g, "").replace(/\s+/g, " ");
  };
});
