import { readdirSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { causeOf, type Problem, ProblemError, problem } from "../../core/problem.ts";
import type { Verdict } from "../../core/verdict.ts";
import { decide } from "../../pipeline/decide.ts";
import { readText } from "../../runtime/files.ts";
import { type Args, done, no, type Outcome, type Spec } from "../command.ts";
import { type Expectation, readExpectations } from "../expectations.ts";
import { idleContext } from "../idle-context.ts";
import { eventNamed, makeEvent } from "../make-event.ts";
import { agentsNamed, type Situation, setups, situationOf } from "../situation.ts";

export const spec: Spec = {
  usage: "test [file]",
  options: {
    junit: { type: "string", value: "file", help: "also write the results as JUnit XML" },
  },
  positionals: 1,
  examples: ["holdfast test", "holdfast test holdfast/tests/git.yaml --junit results.xml"],
};

/** One expectation and how it went. `fault` is null when it was met. */
interface Result {
  readonly expectation: Expectation;
  readonly fault: string | null;
}

/** Judges every expectation by the settings in force here. Nothing is run, and git is not asked. */
export async function run(args: Args): Promise<Outcome> {
  const { junit } = args.options;
  if (typeof junit === "string") mustBeReport(resolve(args.cwd, junit));
  const situation = await situationOf(args);
  const files = filesOf(args, situation.root ?? args.cwd);
  const results: Result[] = [];
  for (const expectation of files.flatMap(readExpectations)) {
    const verdict = await verdictOn(expectation, situation, args);
    results.push({ expectation, fault: faultOf(expectation, verdict) });
  }
  if (typeof junit === "string") writeReport(resolve(args.cwd, junit), results, args.cwd);
  return outcome(args, results);
}

function filesOf({ positionals, cwd }: Args, root: string): string[] {
  const [given] = positionals;
  if (given !== undefined) return [resolve(cwd, given)];
  const folder = join(root, "holdfast/tests");
  const names = namesIn(folder).filter((name) => /\.ya?ml$/.test(name));
  if (names.length > 0) return names.sort().map((name) => join(folder, name));
  const hint = "A file there holds: - { event: { command: git push -f }, expect: { verdict: ask } }";
  throw new ProblemError(
    problem("HF016", "there are no expectation files (*.yaml)", { hint, where: { file: folder } }),
  );
}

async function verdictOn(
  { event: words, file, line }: Expectation,
  { root, manifest }: Situation,
  args: Args,
) {
  const agents = setups.map(({ agent }) => agent);
  try {
    const sender = agentsNamed(words.agent)?.[0]?.agent ?? agents[0];
    if (sender === undefined) throw new Error("there are no agents");
    const { tool = null, command = null, path = null, content = null, prompt = null } = words;
    const name = eventNamed(words.name ?? "pre-tool", agents);
    const event = makeEvent(name, sender, root ?? args.cwd, { tool, command, path, content, prompt });
    const staged = name === "pre-commit" && path !== null ? [path] : [];
    const tests = words.tests === "fail" ? "fail" : "pass";
    const idle = idleContext(event, root, args, { tests, staged });
    // What git says changes from hour to hour; an expectation is about the call.
    const git = { ...idle.git, unsaved: async () => ({ kind: "no-repository" }) as const };
    return (await decide(event, manifest.settings, { ...idle, git })).verdict;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const { message, hint } = error.problem;
    const found = { message: asKeys(message), hint: asKeys(hint), code: "HF015", where: { file, line } };
    throw new ProblemError({ ...error.problem, ...found });
  }
}

/** What the command line calls `--path .env` is `path: .env` in a file. */
function asKeys(words: string): string {
  return words.replace(/--([a-z]+)(?= [".\w])/g, "$1:").replace(/--([a-z]+)/g, "$1");
}

function faultOf({ verdict: wanted, by, message }: Expectation, got: Verdict): string | null {
  const rules = got.by.length === 0 ? "" : ` by ${got.by.join(", ")}`;
  if (got.decision !== wanted) return `expected ${wanted}, got ${got.decision}${rules}`;
  if (by !== null && !got.by.includes(by)) return `expected it by ${by}, got ${got.decision}${rules}`;
  const said = [got.reason, ...got.messages].join("\n");
  const isSaid = message === null || said.toLowerCase().includes(message.toLowerCase());
  return isSaid ? null : `expected "${message}" in: ${said === "" ? "(nothing said)" : said}`;
}

function outcome({ screen, cwd }: Args, results: readonly Result[]): Outcome {
  const findings: Problem[] = [];
  for (const { expectation, fault } of results) {
    if (fault === null) continue;
    const { file, line, name } = expectation;
    const found = problem("HF017", `${name}: ${fault}`, { where: { file, line } });
    findings.push(found);
    screen.print(`${screen.paint.red("✕")} ${relative(cwd, file)}:${line}  ${name}\n    ${fault}`);
  }
  const met = results.length - findings.length;
  screen.print(`${met} of ${results.length} expectation${results.length === 1 ? "" : "s"} met.`);
  const data = { met, failed: findings.length };
  return findings.length === 0 ? done(data) : no(data, findings);
}

/** A slip of the name must not cost a file that is something else. */
function mustBeReport(file: string): void {
  const there = readText(file);
  if (/\.xml$/i.test(file) && (there === null || there.trimStart().startsWith("<?xml") || there === ""))
    return;
  const hint = "Name a file that ends in .xml and is a report or not there yet: --junit results.xml";
  throw new ProblemError(problem("HF006", "that is no place for the report", { hint, where: { file } }));
}

function writeReport(file: string, results: readonly Result[], cwd: string): void {
  const failed = results.filter(({ fault }) => fault !== null).length;
  const cases = results.map(({ expectation, fault }) => {
    const open = `    <testcase classname="${xml(relative(cwd, expectation.file))}" name="${xml(expectation.name)}" line="${expectation.line}"`;
    return fault === null ? `${open}/>` : `${open}><failure message="${xml(fault)}"/></testcase>`;
  });
  const suite = `  <testsuite name="holdfast" tests="${results.length}" failures="${failed}">`;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    "<testsuites>",
    suite,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
  ];
  try {
    writeFileSync(file, `${lines.join("\n")}\n`);
  } catch (error) {
    throw new ProblemError(
      problem("HF006", "the report cannot be written", { cause: causeOf(error), where: { file } }),
    );
  }
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
};

function xml(text: string): string {
  // Control characters may not stand in XML at all.
  return text
    .replace(/[&<>"\n]/g, (sign) => entities[sign] ?? sign)
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, "?");
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
