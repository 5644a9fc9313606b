import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decide, windows } from "./world.ts";

interface Row {
  readonly expect: string;
  readonly command: string;
  /** Where the project lies and the command runs; the imagined machine's own project where nothing is said. */
  readonly root?: string;
  /** It is given to a tool for PowerShell. */
  readonly powershell?: true;
  /** It runs on a machine with Windows. */
  readonly windows?: true;
}

const rows = readFileSync(join(import.meta.dirname, "verdicts.jsonl"), "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Row);

test.each(["deny", "ask", "allow"])("every command expected to be %s is", (verdict) => {
  const chosen = rows.filter((row) => row.expect === verdict);
  const wrong = chosen
    .map((row) => `${decide(row.command, placeOf(row))} ${row.command}`)
    .filter((line) => !line.startsWith(`${verdict} `));
  expect({ many: chosen.length > 100, wrong }).toEqual({ many: true, wrong: [] });
});

function placeOf({ root, powershell, windows: isWindows }: Row) {
  return {
    ...(isWindows === undefined ? {} : windows),
    ...(root === undefined ? {} : { root, cwd: root }),
    ...(powershell === undefined ? {} : { powershell }),
  };
}
