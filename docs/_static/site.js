// From a folder, a page may not read another one: the search then shows titles without excerpts.
if (location.protocol === "file:" && globalThis.DOCUMENTATION_OPTIONS) {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
