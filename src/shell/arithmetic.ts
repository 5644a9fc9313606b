import { expandParts, type Place } from "./expand.ts";
import { runsInIndex, SOME } from "./marks.ts";
import { spend } from "./model.ts";
import type { ArithmeticExpression } from "./parse.ts";

/** Runs the substitutions inside an arithmetic expression. */
export function visitArithmetic(at: Place, node: ArithmeticExpression | undefined): void {
  if (node === undefined || !spend(at.run)) return;
  switch (node.type) {
    case "ArithmeticBinary":
      visitArithmetic(at, node.left);
      visitArithmetic(at, node.right);
      return;
    case "ArithmeticUnary":
      visitArithmetic(at, node.operand);
      return;
    case "ArithmeticTernary":
      visitArithmetic(at, node.test);
      visitArithmetic(at, node.consequent);
      visitArithmetic(at, node.alternate);
      return;
    case "ArithmeticGroup":
      visitArithmetic(at, node.expression);
      return;
    case "ArithmeticWord":
      if (node.parts !== undefined) expandParts(at, node.parts);
      for (const text of at.scope.vars.get(node.value)?.alts ?? [])
        if (runsInIndex(text)) at.run.engine.substitute(at, text);
      return;
    case "ArithmeticCommandExpansion":
      if (node.script !== undefined) at.execute(node.script, at.stdin);
      return;
  }
}

/** A number that is written as one. */
export function numberOf(node: ArithmeticExpression | undefined): string {
  return node?.type === "ArithmeticWord" && /^\d+$/.test(node.value) ? node.value : SOME;
}
