import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small program in Holdfast's place, in a home of its own: it notes what it is asked and answers what a test says. */
export interface StandIn {
  readonly home: string;
  /** Answers every question with this. */
  answers(json: string): void;
  /** Runs this shell script instead. */
  runs(script: string): void;
  /** What it was asked: the arguments and the payload, in order. */
  asked(): Record<string, unknown>[];
  remove(): void;
}

/** Sets HOLDFAST_HOME, so that bridges and scripts find the stand-in; `remove` puts it back. */
export function standIn(): StandIn {
  const home = mkdtempSync(join(tmpdir(), "holdfast-stand-in-"));
  const before = process.env.HOLDFAST_HOME;
  process.env.HOLDFAST_HOME = home;
  mkdirSync(join(home, "bin"));
  const runs = (script: string) => {
    const file = join(home, "bin/holdfast");
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  };
  return {
    home,
    runs,
    answers: (json) =>
      runs(`{ printf '%s\\n' "$*"; cat; echo; } >> "${home}/asked"\ncat <<'ANSWER'\n${json}\nANSWER`),
    asked: () => questionsIn(join(home, "asked")),
    remove: () => {
      if (before === undefined) delete process.env.HOLDFAST_HOME;
      else process.env.HOLDFAST_HOME = before;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function questionsIn(file: string): Record<string, unknown>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.flatMap((line, index) =>
    index % 2 === 0 ? [{ argv: line, ...JSON.parse(lines[index + 1] ?? "{}") }] : [],
  );
}
