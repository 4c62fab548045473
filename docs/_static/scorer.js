// What a search finds first: pages and sections of that name, then text, then names of the library.
var Scorer = {
  objNameMatch: 4, objPartialMatch: 1, objPrio: { 0: 1, 1: 0, 2: 0 }, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
