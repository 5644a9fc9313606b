import { hasGlob } from "../marks.ts";
import type { Call } from "../model.ts";
import { touch } from "../record.ts";
import type { Scan } from "./scan.ts";

/** `awk -v name=value`. */
export function awkVariables(argv: readonly string[]): Map<string, string[]> {
  const files = argv.slice(1).filter((word) => /^[\w./][\w./-]*$/.test(word));
  const found = argv.map((word) => /^(?:-v|--assign=)?([A-Za-z_]\w*)=(.*)$/s.exec(word));
  const given = found.flatMap((one) =>
    one === null ? [] : [[one[1] ?? "", [one[2] ?? ""]] as [string, string[]]],
  );
  return new Map<string, string[]>([["FILENAME", files], ...given]);
}

/** What `print` gives of a text that is known: `{print $2}`, `{print}`, `{print $NF}`. */
export function awkPrinted(text: string, argv: readonly string[]): string | null {
  const at = argv.findIndex((word) => /^-F/.test(word));
  const given = at < 0 ? null : argv[at] === "-F" ? (argv[at + 1] ?? "") : (argv[at] ?? "").slice(2);
  const program = argv.find((word) => word.includes("{")) ?? "";
  const found = /^([^{}]*)\{\s*print(?:\s+\$(\d+|NF))?\s*;?\s*\}\s*$/.exec(program);
  // Which lines it takes decides where they are known; of a list of names they may all be.
  const all = hasGlob(text) || /^\s*(?:NR\s*==\s*\d+\s*)?$/.test(found?.[1] ?? "");
  if (found === null || !all) return null;
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      const cells = given === null || given.length !== 1 ? line.trim().split(/\s+/) : line.split(given);
      const column = found[2] ?? "0";
      return column === "0" ? line : ((column === "NF" ? cells.at(-1) : cells[Number(column) - 1]) ?? "");
    })
    .join("\n");
}

/** awk's `print > "file"`, `print | "command"` and `"command" | getline`. */
export function awkPipes(call: Call, found: Scan, run: (text: string) => void): void {
  found.tokens.forEach((token, at) => {
    const next = found.tokens[at + 1];
    if (token.kind === "string" && next?.text === "|" && found.tokens[at + 2]?.text === "getline")
      run(token.text);
    if (token.kind === "name" && next?.text === "|" && found.tokens[at + 2]?.text === "getline")
      for (const text of found.names.texts.get(token.text) ?? []) run(text);
    if (token.kind === "punct" && token.text === ">" && next?.kind === "name")
      for (const path of found.names.texts.get(next.text) ?? [])
        touch(call, "write", path, "awk prints into a file");
    if (token.kind !== "punct" || next?.kind !== "string") return;
    if (token.text === ">") touch(call, "write", next.text, "awk prints into a file");
    if (token.text === "|") run(next.text);
  });
}
