import { isKnown } from "../marks.ts";
import { formatText } from "../output.ts";
import { argumentsAt, bareArguments } from "./brackets.ts";
import type { Token } from "./lex.ts";
import type { Scan } from "./scan.ts";
import { textsOf } from "./values.ts";

const printers =
  /^(?:print|printf|puts|say|echo|console\.log|process\.stdout\.write|sys\.stdout\.write|\$stdout\.puts|STDOUT\.puts|io\.write|cat|println|IO\.puts|Deno\.stdout\.write)$/;

/**
 * The lines a program prints that it spells out; empty when there are none.
 * @param begun lines of which only the start is known count as well, as in `awk '{print "rm " $1}'`
 */
export function printedBy(found: Scan, begun = false): string {
  const lines: string[] = [];
  found.tokens.forEach((token, at) => {
    if (token.kind !== "name" || !printers.test(token.text) || lines.length > 64) return;
    const text = lineAt(found, at);
    if (text !== "" && (isKnown(text) || (begun && isKnown(text[0] ?? "")))) lines.push(text);
  });
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function lineAt({ tokens, names }: Scan, at: number): string {
  const open = tokens[at + 1]?.text === "(";
  const args: readonly (readonly Token[])[] = open
    ? argumentsAt(tokens, at + 1).args
    : bareArguments(tokens, at + 1);
  if (tokens[at]?.text === "printf" && args.length > 1)
    return formatText(args.map((arg) => textsOf(arg, names)[0] ?? "\uE001"));
  return args
    .filter((arg) => arg[1]?.text !== "=")
    .map((arg) => textsOf(arg, names)[0] ?? "\uE001")
    .join(" ");
}

const bareShell = /^\s*\|?\s*(?:\/(?:usr\/)?bin\/)?(?:env\s+)?(?:ba|da|z|k)?sh(?:\s+-s?)?\s*$/;

/** A program that opens a shell and writes into it: any text that it holds may be what the shell is given. */
export function textsForShell({ calls, tokens }: Scan, lines: readonly string[] = []): string[] {
  const opened = tokens.some((token, at) => {
    if (token.kind !== "string" || !bareShell.test(token.text)) return false;
    const [before, after] = [tokens[at - 1]?.text ?? "", tokens[at + 1]?.text ?? ""];
    if (
      /^[:=]$/.test(before) ||
      (after === "," && tokens[at + 2]?.kind === "string" && !/^[rwa]\+?$/.test(tokens[at + 2]?.text ?? ""))
    )
      return false;
    return before === "|" || calls.some(({ effect }) => /^(?:shell|argv|open)$/.test(effect.kind));
  });
  if (!opened) return [];
  const texts = tokens.filter((token) => token.kind === "string" && /\s/.test(token.text.trim()));
  return [...texts.map((token) => token.text), ...lines].filter(isKnown).slice(0, 16);
}
