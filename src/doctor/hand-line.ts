import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import type { AgentSetup, FilePlan, Machine } from "../core/setup.ts";
import { findProgram } from "../install/detect.ts";

/** What is asked of the person where nothing is written. */
export type Hint = Extract<FilePlan, { kind: "hint" }>;

/** Everything an agent asks to be added by hand here. */
export function hintsOf(setup: AgentSetup, machine: Machine): Hint[] {
  return setup.files("project", machine).filter((plan) => plan.kind === "hint");
}

/** The line itself: it stands last in the words of a hint. */
export function lineOf({ message }: Hint): string {
  return message.trim().split("\n").at(-1)?.trim() ?? "";
}

/** True once the person has added a line that calls Holdfast, whether it works or not. */
export function hasLine({ file }: Pick<Hint, "file">): boolean {
  return callIn(file) !== "none";
}

/** True when the line is there and nothing is known that keeps it from running. */
export function lineWorks(hint: Hint, agent: string, machine: Machine): boolean {
  return hasLine(hint) && lineFaults(hint, agent, machine).every(({ severity }) => severity !== "error");
}

/** Why a line that was added does nothing on this machine. Whether the launcher is there is asked elsewhere. */
export function lineFaults(hint: Hint, agent: string, machine: Machine): Problem[] {
  const { file } = hint;
  const where = { file, agent };
  const { env, platform, gitHooks } = machine;
  if (callIn(file) === "path" && findProgram("holdfast", env, platform) === null) {
    const message =
      "the line added there looks for holdfast on PATH alone, where it is not, so it does nothing";
    return [problem("HF604", message, { hint: `Put this in its place: ${lineOf(hint)}`, where })];
  }
  const runs = gitHooks === null ? file : `${gitHooks.dir}/pre-commit`;
  if (platform === "win32" || mayRun(runs)) return mayGoOn(hint, runs) ? [goesOn(hint, agent)] : [];
  const [message, remedy] = existsSync(runs)
    ? ["git passes over this hook, as it may not be executed", `chmod +x '${runs}'`]
    : [
        "git finds no hook here, so the line added by hand is never reached",
        "Let the tool that keeps the hooks put them in place, e.g. npm install for husky.",
      ];
  return [problem("HF604", message, { hint: remedy, where: { file: runs, agent } })];
}

/** True where the script goes on after the line, so that its exit code, and with it a refusal, is lost. */
function mayGoOn({ file }: Hint, runs: string): boolean {
  // Started from another script, as husky does, which passes `-e`.
  if (runs !== file) return false;
  const lines = linesOf(file);
  const stopsAtFailure = lines.some((line) => /^#!.*\s-\w*e|^\s*set\s+-\w*e/.test(line));
  const commands = lines.filter((line) => !/^\s*(?:#|$)/.test(line));
  const at = commands.findIndex(calls);
  const isCaught = /\bexit\b/.test(commands[at] ?? "");
  return !stopsAtFailure && !isCaught && at < commands.length - 1;
}

function goesOn(hint: Hint, agent: string): Problem {
  const message = "the script goes on after the line added there, so a refused commit may still be made";
  const where = { file: hint.file, agent };
  return problem("HF604", message, {
    severity: "warning",
    hint: `Put this in its place: ${lineOf(hint)}`,
    where,
  });
}

/** `launcher`: it knows where Holdfast keeps its launcher. `path`: it relies on PATH. */
function callIn(file: string): "none" | "launcher" | "path" {
  const lines = linesOf(file).filter((line) => !/^\s*#/.test(line));
  if (!lines.some(calls)) return "none";
  return lines.some((line) => line.includes("/bin/holdfast")) ? "launcher" : "path";
}

function calls(line: string): boolean {
  return /^[^#]*\bhook git pre-commit\b/.test(line);
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
