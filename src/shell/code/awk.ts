import type { Call } from "../model.ts";
import { touch } from "../record.ts";
import type { Scan } from "./scan.ts";

/** `awk -v name=value`. */
export function awkVariables(argv: readonly string[]): Map<string, string[]> {
  const found = argv.map((word) => /^(?:-v|--assign=)?([A-Za-z_]\w*)=(.*)$/s.exec(word));
  return new Map(found.flatMap((one) => (one === null ? [] : [[one[1] ?? "", [one[2] ?? ""]] as const])));
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
