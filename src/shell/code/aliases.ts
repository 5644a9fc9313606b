import { partner } from "./brackets.ts";
import type { Token } from "./lex.ts";

/** `import a as b`, `const b = require('a')`. */
export function aliasesOf(tokens: readonly Token[]): Map<string, string> {
  const aliases = new Map<string, string>();
  tokens.forEach((token, at) => {
    const module = tokens[at + 1];
    if (
      token.text === "from" &&
      token.kind === "name" &&
      tokens[at + 2]?.text === "import" &&
      module !== undefined
    ) {
      for (let next = at + 3; tokens[next]?.kind === "name" || tokens[next]?.text === ","; next++) {
        const name = tokens[next]?.text ?? "";
        const renames = tokens[next + 1]?.text === "as";
        if (name !== ",")
          aliases.set(renames ? (tokens[next + 2]?.text ?? "") : name, `${module.text}.${name}`);
        if (renames) next += 2;
      }
    }
    if (token.text === "from" && tokens[at + 2]?.text === "import" && tokens[at + 3]?.text === "*")
      aliases.set("*", tokens[at + 1]?.text ?? "");
    loaded(tokens, at, aliases);
    if (token.text === "{" && /^(?:const|let|var)$/.test(tokens[at - 1]?.text ?? ""))
      renamed(tokens, at, aliases);
    if (token.text === "as" && token.kind === "name") {
      const from = tokens[at - 1];
      const to = tokens[at + 1];
      if (from?.kind === "name" && to?.kind === "name" && !aliases.has(to.text))
        aliases.set(to.text, from.text);
    }
  });
  return aliases;
}

/** `x = require("m")` and `import x from "m"`. */
function loaded(tokens: readonly Token[], at: number, aliases: Map<string, string>): void {
  const token = tokens[at];
  if (token?.kind !== "name") return;
  const module = token.text === "require" ? tokens[at + 2] : tokens[at + 1];
  const target = token.text === "require" ? tokens[at - 2] : tokens[at - 1];
  const fits = token.text === "require" ? tokens[at - 1]?.text === "=" : token.text === "from";
  functionAlias(tokens, at, aliases);
  // `$f = "system"; $f("…")`.
  const called =
    tokens[at + 1]?.text === "=" && tokens[at + 2]?.kind === "string" ? (tokens[at + 2]?.text ?? "") : "";
  if (token.text.startsWith("$") && /^[a-z]\w+$/.test(called)) aliases.set(token.text, called);
  if (
    fits &&
    !(token.text === "require" && tokens[at + 4]?.text === ".") &&
    module?.kind === "string" &&
    target?.kind === "name" &&
    target.text !== "import"
  )
    aliases.set(target.text, module.text.replace(/^node:/, ""));
}

/** `f = os.system` and `const x = require("child_process").execSync`. */
function functionAlias(tokens: readonly Token[], at: number, aliases: Map<string, string>): void {
  const target = tokens[at];
  if (target?.kind !== "name" || tokens[at + 1]?.text !== "=") return;
  const loads = tokens[at + 2]?.text === "require" && tokens[at + 5]?.text === ")";
  const last = loads ? tokens[at + 7] : tokens[at + 2];
  const after = tokens[loads ? at + 8 : at + 3];
  if (last?.kind !== "name" || (after !== undefined && after.kind !== "line" && after.text !== ";")) return;
  if (loads) aliases.set(target.text, `${tokens[at + 4]?.text.replace(/^node:/, "")}.${last.text}`);
  else if (last.text.includes(".") && !target.text.includes(".")) aliases.set(target.text, last.text);
}

/** `const {writeFileSync: w} = require("fs")`. */
function renamed(tokens: readonly Token[], open: number, aliases: Map<string, string>): void {
  for (let at = open; at < partner(tokens, open) && at < open + 60; at++) {
    const from = tokens[at - 1];
    const to = tokens[at + 1];
    if (tokens[at]?.text === ":" && from?.kind === "name" && to?.kind === "name")
      aliases.set(to.text, from.text);
  }
}
