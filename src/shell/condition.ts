import { expandWhole, type Place } from "./expand.ts";
import { runsInIndex } from "./marks.ts";
import { spend } from "./model.ts";
import type { TestExpression } from "./parse.ts";

/** Their sides are arithmetic. */
const numeric = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** What is run inside `[[ … ]]`: the substitutions of its words. */
export function visitTest(place: Place, node: TestExpression): void {
  if (!spend(place.run)) return;
  switch (node.type) {
    case "TestUnary":
      expandWhole(place, node.operand);
      return;
    case "TestBinary":
      for (const text of [...expandWhole(place, node.left), ...expandWhole(place, node.right)])
        if (numeric.test(node.operator) && runsInIndex(text)) place.run.engine.substitute(place, text);
      return;
    case "TestLogical":
      for (const operand of node.operands) visitTest(place, operand);
      return;
    case "TestNot":
      visitTest(place, node.operand);
      return;
    case "TestGroup":
      visitTest(place, node.expression);
      return;
  }
}
