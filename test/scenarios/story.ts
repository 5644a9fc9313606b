import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A command-line story: a text file of
 *
 *     $ command              run by sh in the project folder
 *       text                 must be somewhere in what it printed, after the line before it
 *       ! text               must be nowhere in it
 *       [exit 1]             its exit code; 0 where nothing is said
 *
 * Everything else is for the reader. `holdfast` is the built program; HOME and the project are temp folders that
 * live through the whole story. `fingerprint` prints the path, mode and hash of every file in both but
 * Holdfast's own folder.
 */
export interface Step {
  readonly line: number;
  readonly command: string;
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
  readonly exit: number;
}

export function parseStory(text: string): Step[] {
  const steps: { -readonly [K in keyof Step]: Step[K] }[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const current = steps.at(-1);
    if (line.startsWith("$ ")) {
      steps.push({ line: index + 1, command: line.slice(2), wanted: [], unwanted: [], exit: 0 });
    } else if (current !== undefined && line.startsWith("  > ")) {
      current.command += `\n${line.slice(4)}`;
    } else if (current !== undefined && line.startsWith("  ")) {
      const words = line.trim();
      const exit = /^\[exit (\d+)\]$/.exec(words)?.[1];
      if (exit !== undefined) current.exit = Number(exit);
      else if (words.startsWith("(not) ")) current.unwanted = [...current.unwanted, words.slice(6)];
      else current.wanted = [...current.wanted, words];
    }
  }
  return steps;
}

export interface Stage {
  /** What the step printed, stdout and stderr in order, and how it differs from the story. */
  play(step: Step): { readonly output: string; readonly differences: readonly string[] };
  remove(): void;
}

export function makeStage(program: string): Stage {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-story-")));
  const [home, project, bin] = ["home", "project", "bin"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, project, bin]) mkdirSync(folder);
  script(join(bin, "holdfast"), `exec '${process.execPath}' '${program}' "$@"`);
  script(
    join(bin, "fingerprint"),
    `cd '${base}' && find home project \\( -path home/.holdfast -o -path project/.git/objects \\) -prune -o -type f -print |
      LC_ALL=C sort | while read -r file; do echo "$file $(stat -c %a "$file" 2>/dev/null || stat -f %Lp "$file") $(git hash-object --no-filters "$file")"; done`,
  );
  const env = {
    HOME: home,
    PATH: `${bin}:${process.env.PATH ?? ""}`,
    TMPDIR: tmpdir(),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.org",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.org",
  };
  return {
    play(step) {
      const command = `exec 2>&1\n${step.command}`;
      const { stdout, status } = spawnSync("/bin/sh", ["-c", command], {
        cwd: project,
        env,
        encoding: "utf8",
        input: "",
      });
      return { output: stdout, differences: compare(step, stdout, status ?? -1) };
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

function compare(step: Step, output: string, status: number): string[] {
  const differences: string[] = [];
  if (status !== step.exit) differences.push(`exit ${status} instead of ${step.exit}`);
  let at = 0;
  for (const text of step.wanted) {
    const found = output.indexOf(text, at);
    if (found < 0) differences.push(`missing: ${text}`);
    else at = found + text.length;
  }
  for (const text of step.unwanted) if (output.includes(text)) differences.push(`unwanted: ${text}`);
  return differences;
}

function script(file: string, body: string): void {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}
