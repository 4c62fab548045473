// Sentences to begin with: the name of each, and what to ask.
export const TEXTS = [
  ["a capital", "The capital of France is", "Which heads carry Paris to the end of the sentence?"],
  ["an induction", "Mr Zorvle met Anna. Anna greeted Mr Z", "Light the heads by induction, and take the brightest away: who copies the name?"],
  ["an agreement", "The keys to the old cabinet", "The verb must agree with keys, not with cabinet."],
  ["a pronoun", "Anna lost her keys, so Tom gave", "Whom does Tom give something?"],
  ["a list", "One apple, two pears, three", "What comes after one and two, and what after the comma?"],
  ["a repeat", "blue cat red dog blue cat red", "Nothing but the repeat says what comes next."],
];
