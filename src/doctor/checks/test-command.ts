import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Problem, problem } from "../../core/problem.ts";
import type { Machine } from "../../core/setup.ts";
import { findProgram } from "../../install/detect.ts";
import type { Check } from "../check.ts";

/** The tests can be started, as far as the first word of their command tells. */
export const check: Check = {
  id: "test-command",
  words: "the program that the test command starts with is here",
  find: ({ manifest: { settings, file }, machine }) =>
    programMissing(settings.tests.command, machine).map((found) => ({
      ...found,
      where: file === null ? {} : { file },
    })),
};

/** A note when the command starts with a plain word that names no program here; other beginnings are not judged. */
export function programMissing(command: string | null, { root, env, platform }: Machine): Problem[] {
  if (command === null || root === null || platform === "win32") return [];
  const word = firstWord(command);
  if (word === null || builtins.has(word)) return [];
  const isHere = word.includes("/")
    ? existsSync(resolve(root, word))
    : findProgram(word, env, platform) !== null;
  if (isHere) return [];
  const place = word.includes("/") ? "is not in the project" : "is not on PATH";
  return [problem("HF320", `the test command starts with ${word}, which ${place}`, { severity: "info" })];
}

function firstWord(command: string): string | null {
  const words = command.trim().split(/\s+/);
  const first = words.find((word) => !/^\w+=[\w./:-]*$/.test(word));
  return first !== undefined && /^[\w@./+-]+$/.test(first) ? first : null;
}

/** Words that the shell itself knows. */
const builtins = new Set(
  ". : alias cd command do echo eval exec exit export false for if printf read set source test time trap true type ulimit umask unset until wait while case function".split(
    " ",
  ),
);
