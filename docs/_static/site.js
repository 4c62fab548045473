// From a folder, a page may not read another one: the search then shows titles without excerpts.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// What is too wide for the page scrolls by itself. It can be reached by keyboard while it does, and
// fades at its right edge while there is more.
const WIDE = ["table", "pre", "div.math", ".output", "[style*=overflow]", ".pst-scrollable-table-container"];
const moreAtRight = (one) => one.toggleAttribute("data-more", one.scrollWidth - one.clientWidth - one.scrollLeft > 1);
function letScroll() {
  const all = document.querySelectorAll(WIDE.map((one) => `.bd-article ${one}:not(.cw *)`));
  const scrolls = [...all].map(
    (one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === "auto",
  );
  all.forEach((one, i) => {
    if (scrolls[i]) {
      one.tabIndex = 0;
      moreAtRight(one);
    } else if (one.tabIndex === 0) {
      one.removeAttribute("tabindex");
      one.removeAttribute("data-more");
    }
  });
}
let asked = 0;
function soon() {
  cancelAnimationFrame(asked);
  asked = requestAnimationFrame(letScroll);
}
addEventListener("load", soon);
addEventListener("resize", soon);
addEventListener("toggle", soon, true); // what was folded has a width now
addEventListener("scroll", ({ target }) => target.matches?.(".bd-article [tabindex]:not(.cw *)") && moreAtRight(target), true);

addEventListener("DOMContentLoaded", () => {
  numbersAtTheRight();
  markTheSectionInView();
  showWhatIsFound();
});

// Numbers stand under each other: in each column that has nothing else, but the first.
function numbersAtTheRight() {
  for (const table of document.querySelectorAll(".bd-article table.table:not(.cw *)")) {
    const rows = [...table.rows], body = [...table.tBodies].flatMap((part) => [...part.rows]);
    const isNumber = (cell) => /^([−+-]?\d[\d.,]*\s?%?)?$/.test(cell?.textContent.trim() ?? "");
    for (let i = 1; i < rows[0].cells.length; i++) {
      if (body.every((row) => isNumber(row.cells[i]))) rows.forEach((row) => row.cells[i]?.classList.add("number"));
    }
  }
}

// The contents at the right mark the section in view: the last that begins at the top or above it. Where
// the page cannot scroll on, it is the one that a link led to, or the last of all.
function markTheSectionInView() {
  const contents = document.querySelector("nav.page-toc");
  const links = [...(contents?.querySelectorAll("a[href^='#']") ?? [])].filter((link) => link.hash);
  if (!links.length) return;
  const sections = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  let marked, planned = 0;
  function mark() {
    const atTheEnd = innerHeight + scrollY > document.documentElement.scrollHeight - 2;
    const begins = (i, until) => sections[i]?.checkVisibility() && sections[i].getBoundingClientRect().top < until;
    const link = links.findLast((one, i) => atTheEnd && scrollY && one.hash === location.hash && !begins(i, 0))
      ?? links.findLast((_, i) => begins(i, atTheEnd && scrollY ? innerHeight : 100));
    if (link === marked) return;
    marked = link;
    for (const one of links) {
      one.classList.toggle("active", one === link);
      if (one === link) one.setAttribute("aria-current", "true");
      else one.removeAttribute("aria-current");
    }
    for (const entry of contents.querySelectorAll(".toc-entry")) entry.classList.toggle("active", entry.contains(link ?? null));
    const bar = link?.closest(".bd-sidebar-secondary");
    if (bar) bar.scrollTop += link.getBoundingClientRect().top - bar.getBoundingClientRect().top - bar.clientHeight / 2;
  }
  for (const event of ["scroll", "resize", "hashchange", "load"]) {
    addEventListener(event, () => {
      cancelAnimationFrame(planned);
      planned = requestAnimationFrame(mark);
    });
  }
  mark();
}

// The first pages that the search would find, while one types. Enter shows them all, with excerpts. What
// it searches in is fetched when somebody turns to the field.
function showWhatIsFound() {
  const form = document.querySelector("#pst-search-dialog form"), input = form?.querySelector("input");
  if (!input) return;
  const list = document.createElement("ul"), status = document.createElement("p"), root = document.documentElement.dataset.content_root;
  list.className = "found-while-typing";
  status.className = "found-number";
  status.setAttribute("role", "status");
  form.after(status, list);
  input.addEventListener("focus", fetchTheIndex, { once: true });
  input.addEventListener("input", look);

  async function fetchTheIndex() {
    const addresses = typeof Search === "undefined" ? ["_static/searchtools.js", "_static/language_data.js", "searchindex.js"] : [];
    await Promise.all(addresses.map((address) => new Promise((done) => {
      const script = document.createElement("script");
      Object.assign(script, { src: root + address, async: false, onload: done });
      document.head.append(script);
    })));
    look();
  }

  function look() {
    const words = input.value.trim();
    const ready = words.length > 1 && typeof Search !== "undefined" && Search.hasIndex();
    const found = ready ? Search._performSearch(...Search._parseQuery(words)).reverse() : [];
    localStorage.removeItem("sphinx_highlight_terms"); // of words that are half typed
    list.replaceChildren(...found.slice(0, 8).map(([page, title, anchor]) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = `${root}${page}.html${anchor}`;
      link.textContent = title;
      item.append(link);
      return item;
    }));
    const count = found.length ? `${Math.min(8, found.length)} of ${found.length} places. Enter shows all.` : "Nothing is found.";
    status.textContent = ready ? count : "";
  }
}

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
