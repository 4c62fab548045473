// "Run the model": in place of a lesson's lab comes the board of the page "Break the model".
const button = document.querySelector("[data-break-here]");
button.addEventListener("click", async () => {
  button.disabled = true;
  try {
    const { href } = new URL(button.dataset.breakHere, document.baseURI);
    const page = new DOMParser().parseFromString(await (await fetch(href)).text(), "text/html");
    const place = page.querySelector("[data-break]");
    place.dataset.break = "lesson";
    const script = Object.assign(document.createElement("script"), {
      src: new URL("page.js", new URL(place.dataset.base, href)).href,
      onload: () => place.querySelector(".break-load:enabled")?.click(), // the second press
    });
    const below = button.parentElement;
    below.parentElement.querySelector("[id^=course-widget]").replaceWith(page.getElementById("broken-sentence"), place, script);
    below.remove();
  } catch {
    button.after(" The board could not be fetched: from a folder a browser fetches nothing, so serve it (python -m http.server). ");
  }
});
if (location.hash.startsWith("#text=")) button.click(); // the board keeps its sentence there
