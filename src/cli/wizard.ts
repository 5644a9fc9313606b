import { existsSync } from "node:fs";
import { join } from "node:path";
import { ProblemError } from "../core/problem.ts";
import type { Settings } from "../core/settings.ts";
import type { AgentSetup, Machine, Scope } from "../core/setup.ts";
import type { Answers } from "../manifest/edit.ts";
import { nearest } from "../manifest/nearest.ts";
import { manifestNames, userManifest } from "../manifest/snapshot.ts";
import type { Args } from "./command.ts";
import { isCommit } from "./effect.ts";
import { usage } from "./parse.ts";
import type { Choice } from "./prompts.ts";
import { agentsNamed } from "./situation.ts";
import type { Found } from "./surroundings.ts";

/** Everything `install` was told, found out, or answered. */
export interface Choices {
  readonly agents: readonly AgentSetup[];
  readonly scope: Scope;
  /** Values to put into the manifest; only those that were chosen. */
  readonly answers: Answers;
  /** The manifest they go to. */
  readonly manifest: string;
}

/** What is known before anything is asked. */
export interface Known {
  readonly found: readonly Found[];
  readonly machine: Machine;
  readonly settings: Settings;
  /** True when the settings come from a file and not from the built-in defaults. */
  readonly hasManifest: boolean;
  /** The test command the project's files tell, if any. */
  readonly detectedTests: string | null;
}

type OnFailure = Settings["tests"]["onFailure"];

/**
 * Gathers the choices: flags win, then what is installed and written already, then what was detected. Where a
 * person can be asked, each question that no flag answers starts from that.
 */
export async function choose(args: Args, known: Known): Promise<Choices> {
  const flags = flagsOf(args);
  const scope = flags.scope ?? (await askScope(args, known));
  const agents = flags.agents ?? (await askAgents(args, known, scope));
  const testCommand = flags.testCommand ?? (await askTests(args, known, scope));
  const onFailure = flags.onFailure ?? (await askFailure(args, known, agents, testCommand));
  const tests = {
    ...(testCommand === null ? {} : { command: testCommand }),
    ...(onFailure === null ? {} : { on_failure: onFailure }),
  };
  const answers: Answers = {
    ...(Object.keys(tests).length === 0 ? {} : { tests }),
    ...(flags.protect === null ? {} : { protect: { paths: flags.protect } }),
  };
  return { agents, scope, answers, manifest: args.globals.config ?? manifestFor(scope, args, known.machine) };
}

interface Flags {
  readonly agents: readonly AgentSetup[] | null;
  readonly scope: Scope | null;
  readonly testCommand: string | null;
  readonly onFailure: OnFailure | null;
  readonly protect: readonly string[] | null;
}

function flagsOf({ options }: Args): Flags {
  const { scope, protect, "test-command": testCommand, "on-failure": onFailure } = options;
  return {
    agents: agentsNamed(options.agent),
    scope: oneOf("--scope", scope, ["project", "user", "local"]),
    testCommand: typeof testCommand === "string" ? testCommand : null,
    onFailure: oneOf("--on-failure", onFailure, ["retry-then-ask", "ask", "notify"]),
    protect: Array.isArray(protect) ? patternsIn(protect) : null,
  };
}

/** A list that protects nothing is rarely meant, as where a variable of a script was empty. */
function patternsIn(given: readonly string[]): string[] {
  const patterns = given.flatMap((part) => part.split(",")).filter((part) => part.trim() !== "");
  if (patterns.length > 0) return patterns;
  const hint =
    "Leave it out for the built-in list. To protect nothing, write `paths: []` into holdfast.yaml.";
  throw new ProblemError(usage("--protect wants at least one pattern", hint));
}

/** A value of a short list, or null when the flag was not given. Throws a usage error for another one. */
export function oneOf<T extends string>(flag: string, value: unknown, words: readonly T[]): T | null {
  if (typeof value !== "string") return null;
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  const near = nearest(value, words);
  const message = `${flag} wants ${words.join(", ")}${near === null ? "" : ` — did you mean ${near}?`}`;
  throw new ProblemError(usage(message, ""));
}

async function askScope(args: Args, { found, machine }: Known): Promise<Scope> {
  const current = found
    .filter(({ setup }) => !isCommit(setup.agent))
    .flatMap(({ installed }) => installed)[0];
  const initial = current ?? (machine.root === null ? "user" : "project");
  if (!args.interactive) return initial;
  const choices: Choice<Scope>[] = [
    {
      value: "project",
      label: "this project, for everyone",
      hint: "files you commit; harmless where Holdfast is missing",
    },
    { value: "local", label: "this project, only me" },
    { value: "user", label: "all my projects" },
  ];
  const possible = machine.root === null ? choices.filter(({ value }) => value === "user") : choices;
  return (await args.prompts()).select("Where", possible, initial);
}

async function askAgents(args: Args, { found }: Known, scope: Scope): Promise<readonly AgentSetup[]> {
  const installed = found.filter(({ installed }) => installed.length > 0);
  const usable = (one: Found) => scopeIn(one.setup, scope) !== null;
  const present = found.filter(
    (one) => one.present && usable(one) && (scope !== "user" || !isCommit(one.setup.agent)),
  );
  const initial = (installed.length > 0 ? installed : present).map(({ setup }) => setup);
  if (!args.interactive) return [...new Set([...initial, ...present.map(({ setup }) => setup)])];
  const choices = found.filter(usable).map(({ setup, present: here }) => ({
    value: setup,
    label: setup.agent.title,
    ...(here ? {} : { hint: "not found on this machine" }),
  }));
  return (await args.prompts()).several("Agents", choices, initial);
}

async function askTests(args: Args, known: Known, scope: Scope): Promise<string | null> {
  const { settings, hasManifest, detectedTests } = known;
  const written = hasManifest ? settings.tests.command : null;
  // For all projects no single command is right: each project's own is found out when it is needed.
  if (scope === "user") return null;
  const initial = written ?? detectedTests;
  if (!args.interactive) return written === null ? detectedTests : null;
  const question = "Command that runs the tests (empty: none)";
  return (await args.prompts()).text(question, initial ?? "", "for example: npm test");
}

async function askFailure(
  args: Args,
  { settings }: Known,
  agents: readonly AgentSetup[],
  testCommand: string | null,
): Promise<OnFailure | null> {
  const runsAtTurnEnd = agents.some(({ agent }) => !isCommit(agent));
  if (!args.interactive || testCommand === "" || !runsAtTurnEnd) return null;
  const retries = settings.tests.maxRetries;
  const choices: Choice<OnFailure>[] = [
    {
      value: "retry-then-ask",
      label: `send the agent back ${retries === 2 ? "twice" : `${retries} times`}, then ask me`,
    },
    { value: "ask", label: "ask me" },
    { value: "notify", label: "only tell me" },
  ];
  return (await args.prompts()).select("When tests fail", choices, settings.tests.onFailure);
}

/** The scope an agent is installed in when the person chose `scope`; null: it has no such place. */
export function scopeIn(setup: AgentSetup, scope: Scope): Scope | null {
  if (setup.scopes.includes(scope)) return scope;
  // A commit hook belongs to one clone and nobody else's, whatever was chosen.
  return isCommit(setup.agent) ? "project" : null;
}

function manifestFor(scope: Scope, { env, home }: Args, machine: Machine): string {
  if (scope === "user" || machine.root === null) return userManifest(env, home);
  const [yaml, yml] = manifestNames.map((name) => join(machine.root ?? "", name));
  return yml !== undefined && existsSync(yml) && !existsSync(yaml ?? "") ? yml : (yaml ?? "");
}
