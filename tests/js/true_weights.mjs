// What the explorer's page computes from what Python sent, for tests/widgets/test_widgets_true_weights.py:
// the traits of each case come as JSON on the standard input; weights, texts and values go to the output.
import { readFileSync } from "node:fs";
import { readData } from "../../widgets_js/src/explorer/data.js";
import { makeLook } from "../../widgets_js/src/explorer/look.js";
import { numbersOf } from "../../widgets_js/src/explorer/numbers.js";
import { pageModel } from "../../widgets_js/src/shared/model.js";

const answers = JSON.parse(readFileSync(0, "utf8")).map((state) => {
  const data = readData(state._data, numbersOf), look = makeLook(pageModel(state), data);
  return Array.from({ length: data.count }, (_, head) => {
    const weights = Array.from(look.weights(head)), given = data.scores(head);
    return { weights, values: data.values && Array.from(data.values(head)), texts: weights.map((weight, i) => look.percent(Number.isNaN(given[i]) ? null : weight)) };
  });
});
process.stdout.write(JSON.stringify(answers));
