// What is too wide for the page scrolls by itself. It can be reached by keyboard while it does, and
// fades at its right edge while there is more.
const WIDE = ["table", "pre", "div.math", "mjx-container", ".output", "[style*=overflow]", ".pst-scrollable-table-container"];
const moreAtRight = (one) => one.toggleAttribute("data-more", one.scrollWidth - one.clientWidth - one.scrollLeft > 1);
function letScroll(part) {
  const all = part.querySelectorAll(WIDE.map((one) => `.bd-article ${one}:not(.cw *)`));
  const scrolls = [...all].map(
    (one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === "auto",
  );
  all.forEach((one, i) => {
    if (scrolls[i]) {
      one.tabIndex = 0;
      moreAtRight(one);
    } else {
      one.removeAttribute("data-more");
      if (one.tabIndex === 0) one.removeAttribute("tabindex");
    }
  });
}
const all = () => letScroll(document);
addEventListener("load", () => {
  // What a widget draws later needs more room, or less.
  const look = (changed) => requestAnimationFrame(() => changed.forEach(({ target }) => letScroll(target.closest(".output").parentElement)));
  const sizes = new ResizeObserver(look), widgets = new MutationObserver(look); // one as high as its picture changes no size
  for (const one of document.querySelectorAll(".bd-article .output")) sizes.observe(one);
  for (const one of document.querySelectorAll('.output > [id^="course-widget"]')) widgets.observe(one, { childList: true });
  all();
});
addEventListener("resize", all);
addEventListener("toggle", ({ target }) => letScroll(target), true); // what was folded has a width now
addEventListener("scroll", ({ target }) => target.matches?.(".bd-article [tabindex]:not(.cw *)") && moreAtRight(target), true);

addEventListener("DOMContentLoaded", () => {
  numbersAtTheRight();
  markTheSectionInView();
  showWhatIsFound();
  countTheQuiz();
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

// The list of lessons shows the page that is open, also far down.
addEventListener("load", () => {
  const bar = document.querySelector(".bd-sidebar-primary"), here = [...(bar?.querySelectorAll("li.current > a") ?? [])].at(-1);
  if (!here) return;
  const { top, bottom } = here.getBoundingClientRect(), room = bar.getBoundingClientRect();
  if (top < room.top || bottom > Math.min(room.bottom, innerHeight)) bar.scrollTop += top - room.top - bar.clientHeight / 3;
});

// In a quiz an answer that was opened has a tick or a cross, and a line at the end counts first tries.
function countTheQuiz() {
  const answers = document.querySelectorAll("#quiz > details"), firsts = new Map(); // question: right?
  if (!answers.length) return;
  const questions = document.querySelectorAll("#quiz > p + details").length, said = document.createElement("p");
  said.setAttribute("role", "status");
  answers[answers.length - 1].after(said);
  let question;
  for (const answer of answers) {
    if (answer.previousElementSibling.matches("p")) question = answer;
    const asked = question, summary = answer.firstElementChild, mark = document.createElement("b");
    const isRight = answer.textContent.slice(summary.textContent.length).trim().startsWith("Right");
    mark.textContent = isRight ? " ✓" : " ✗";
    mark.className = `verdict-mark ${isRight}`;
    answer.addEventListener("toggle", () => {
      summary.append(mark);
      if (!firsts.has(asked)) firsts.set(asked, isRight);
      const right = [...firsts.values()].filter(Boolean).length, left = questions - firsts.size;
      said.textContent = `${right} of ${firsts.size} right at first try${left ? `, ${left} to go` : ""}.`;
    });
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
    const begins = (i, until) => sections[i]?.checkVisibility({ contentVisibilityAuto: true }) && sections[i].getBoundingClientRect().top < until;
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

// The first sections that the search finds, while one types; Enter shows more, on a page of their own.
// What it searches in is fetched when somebody turns to a field.
const root = () => document.documentElement.dataset.content_root;
let index;
const fetchTheIndex = () => (index ??= Promise.all(["sections.js", "search.js"].map((name) => new Promise((done, fail) => {
  const script = document.createElement("script");
  Object.assign(script, { src: `${root()}_static/${name}`, async: false, onload: done, onerror: fail });
  document.head.append(script);
}))));

function showWhatIsFound() {
  const results = document.getElementById("search-results");
  for (const form of document.querySelectorAll("form.bd-search")) {
    const input = form.querySelector("input"), isPage = results && !form.closest("dialog");
    const list = document.createElement("ul"), status = document.createElement("p");
    list.className = "found-while-typing";
    status.className = "found-number";
    status.setAttribute("role", "status");
    if (isPage) results.append(status, list);
    else form.after(status, list);
    const most = isPage ? 40 : 8;

    async function look() {
      const words = input.value.trim();
      if (words.length > 1) await fetchTheIndex();
      if (words !== input.value.trim()) return; // one has typed on
      const found = words.length > 1 ? courseSearch(words) : [];
      list.replaceChildren(...found.slice(0, most).map(asLink));
      const count = `${Math.min(most, found.length)} of ${found.length} places.${isPage || found.length <= most ? "" : " Enter shows more."}`;
      status.textContent = words.length < 2 ? "" : found.length ? count : "Nothing is found.";
    }
    input.addEventListener("focus", fetchTheIndex, { once: true });
    input.addEventListener("input", look);
    if (!isPage) continue;
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    look();
  }
}

// A section that was found: its heading, the page it is on, and the sentence that was meant.
function asLink({ section, sentence, words }) {
  const item = document.createElement("li"), link = document.createElement("a");
  link.href = root() + section.address;
  const title = document.createElement("b"), page = document.createElement("span"), text = document.createElement("p");
  title.textContent = section.title;
  page.textContent = section.page;
  text.append(...sentence.split(/([\p{L}\p{N}]+)/u).map((part) => {
    if (!words.includes(part)) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  }));
  link.append(title, " ", page, text);
  item.append(link);
  return item;
}

// On a phone the contents of the page lie over it: they give way when a section is chosen.
addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("dialog[open] a[href^='#']");
  if (link) link.closest("dialog").close();
});
