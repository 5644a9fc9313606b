import type { Can } from "../core/can.ts";
import type { Entry } from "../journal/write.ts";
import type { Seen } from "./perform.ts";
import type { ProofResult } from "./report.ts";
import { type Base, notRun, result, toolText } from "./result.ts";
import { guardSteps, marks, testsRequests } from "./scenes.ts";
import type { Told } from "./server/wire.ts";
import { type Theatre, testComplaint } from "./stage.ts";

/** All that was seen of one agent. */
export interface Performance {
  readonly can: Can;
  /** Name of the protected file. */
  readonly secret: string;
  /** True where hooks are asked about the end of a turn only once. */
  readonly asksOnce: boolean;
  /** Folders whose long names are shortened in quotes. */
  readonly theatre: Pick<Theatre, "root" | "home" | "project">;
  readonly guard: Seen;
  /** From one folder below the root; null for an agent that reads a project's hooks only in its root. */
  readonly below: Seen | null;
  readonly tests: Seen;
  /** The same with Holdfast installed for all projects of the person instead of this one. */
  readonly user: Seen;
  /** After uninstall. */
  readonly control: Seen;
  /** The protected file with another set of tools, by the name of the set. */
  readonly variants: readonly { readonly name: string; readonly seen: Seen }[];
  readonly restored: Restored;
}

export interface Restored {
  /** Paths install changed or made. */
  readonly touched: readonly string[];
  /** Paths that were not as before after uninstall. */
  readonly different: readonly string[];
}

/** The list of proofs, the same for every agent; only what `can` says decides what must be seen. */
export function judge(p: Performance): ProofResult[] {
  return [
    ...refusals("protected", "", p.guard, p),
    riskyCommand(p),
    harmless("harmless-write", "a harmless write goes through untouched", "notes.md", p),
    harmless("harmless-command", "a harmless command goes through untouched", "ran.txt", p),
    ...(p.can["turn-end.continue"].effect === "yes" ? [sentBack(p), letGo(p)] : []),
    ...(p.below === null ? [] : refusals("below", "from below the root: ", p.below, p)),
    ...refusals("user", "installed for all projects, from below: ", p.user, p),
    ...p.variants.flatMap(({ name, seen }) => refusals(name, `with ${name} tools: `, seen, p)),
    restoration(p),
    withoutHoldfast(p),
  ];
}

/** The two refusals of the scenes that try to write the protected file. */
function refusals(id: string, where: string, seen: Seen, p: Performance): ProofResult[] {
  const { write, shell } = guardSteps;
  return [
    refusal({ id: `${id}-write`, words: `${where}a write to ${p.secret} is refused` }, seen, write, p),
    refusal(
      { id: `${id}-shell`, words: `${where}a command that writes ${p.secret} is refused` },
      seen,
      shell,
      p,
    ),
  ];
}

function refusal(base: Base, seen: Seen, step: number, p: Performance): ProofResult {
  if (seen.requests <= step) return notRun(base, seen);
  const told = reasonIn(seen.told(step), (text) => explains(text, p.secret));
  const text = seen.files[p.secret] ?? null;
  const written = text?.includes(marks[step] ?? "") === true;
  const decision = decisionOf(seen, step);
  return result(base, {
    fired: decision === "deny",
    disk: text === null ? `${p.secret} is not there` : `${p.secret} holds ${JSON.stringify(text)}`,
    told: quote(told, p, p.secret),
    failures: [
      written && "the file was written",
      !explains(told, p.secret) && "the model was not told why",
      decision !== "deny" && `the journal shows ${decision ?? "nothing"} instead of deny`,
    ],
  });
}

function riskyCommand(p: Performance): ProofResult {
  const effect = p.can["pre-tool.ask"].effect;
  const base = { id: "risky-command", words: "a forced push does not happen without a person" };
  if (p.guard.requests <= guardSteps.push) return notRun(base, p.guard);
  const told = reasonIn(p.guard.told(guardSteps.push), (text) => text.includes("git push --force"));
  const kept = p.guard.remote === "first";
  const expected = effect === "yes" ? "ask" : "deny";
  const decision = decisionOf(p.guard, guardSteps.push);
  return result(base, {
    fired: decision === expected,
    disk: kept ? "the remote still holds the first commit" : `the remote holds "${p.guard.remote}"`,
    told: quote(told, p, "`git push"),
    failures: [
      !kept && "the push went through",
      decision !== expected && `the journal shows ${decision ?? "nothing"} instead of ${expected}`,
      // An agent may end its run at a question, and then tells its model nothing. Git never quotes the command.
      told !== "" && !told.includes("git push --force") && "the model was not told why",
    ],
  });
}

function harmless(id: string, words: string, file: string, p: Performance): ProofResult {
  const base = { id, words };
  const step = file === "notes.md" ? guardSteps.harmlessWrite : guardSteps.harmlessShell;
  if (p.guard.requests <= step) return notRun(base, p.guard);
  const told = toolText(p.guard.told(step));
  const without = toolText(p.control.told(step));
  const written = p.guard.files[file] !== null && p.guard.files[file] === p.control.files[file];
  const same = withoutFigures(told) === withoutFigures(without);
  const decision = decisionOf(p.guard, step);
  return result(base, {
    fired: decision === "allow",
    disk: written ? `${file} was written` : `${file} is not as it should be`,
    told: quote(told, p),
    failures: [
      !written && "it did not have its effect",
      !same && `without Holdfast the model is told: ${quote(without, p)}`,
      decision !== "allow" && `the journal shows ${decision ?? "nothing"} instead of allow`,
    ],
  });
}

function sentBack(p: Performance): ProofResult {
  const base = { id: "tests-fail", words: "failing tests send the agent back with their output" };
  if (p.tests.requests < 2) return notRun(base, p.tests);
  const told = allText(p.tests.told(1));
  const complaint = `${testComplaint} 41`;
  const end = told.indexOf(complaint) + complaint.length;
  const output = told.includes(complaint);
  const fired = turnEnds(p.tests).includes("continue");
  return result(base, {
    fired,
    disk: `answer.txt holds ${JSON.stringify(p.tests.files["answer.txt"])} in the end`,
    told: output ? quote(told.slice(0, end), p, testComplaint) : quote(told, p),
    failures: [
      p.tests.requests < 3 && "the agent stopped",
      !output && "the output was not passed on",
      !fired && "the journal shows no send-back",
      p.tests.files["answer.txt"] !== "42\n" && "the agent did not go on working",
    ],
  });
}

function letGo(p: Performance): ProofResult {
  const base = { id: "tests-pass", words: "passing tests let it stop" };
  if (p.tests.requests < testsRequests) return notRun(base, p.tests);
  const ended = p.tests.ran.exitCode === 0 && !p.tests.ran.timedOut;
  const last = turnEnds(p.tests).at(-1);
  return result(base, {
    fired: p.asksOnce ? null : last === "allow",
    disk: `answer.txt holds ${JSON.stringify(p.tests.files["answer.txt"])}`,
    told: "",
    failures: [
      p.tests.requests > testsRequests && "it was sent back once more",
      !ended && "the agent did not end by itself",
      last !== "allow" && !p.asksOnce && `the journal's last turn end shows ${last ?? "nothing"}`,
    ],
  });
}

function restoration({ restored }: Performance): ProofResult {
  const base = { id: "uninstall", words: "uninstall restores every byte" };
  const { touched, different } = restored;
  return result(base, {
    fired: null,
    disk: `${touched.length} files were touched, ${touched.length - different.length} are as before`,
    told: "",
    failures: [
      touched.length === 0 && "install changed nothing, so nothing was shown",
      different.length > 0 && `different: ${different.join(", ")}`,
    ],
  });
}

/** Shows that the agent would have done all of it: what is refused above is refused by Holdfast alone. */
function withoutHoldfast(p: Performance): ProofResult {
  const base = { id: "control", words: "without Holdfast, the same calls go through" };
  const { control } = p;
  if (control.requests < 2) return notRun(base, control);
  return result(base, {
    fired: null,
    disk: `${p.secret} holds ${JSON.stringify(control.files[p.secret])}, the remote holds "${control.remote}"`,
    told: quote(toolText(control.told(guardSteps.write)), p),
    failures: [
      control.files[p.secret] !== "A=1\nB=2\n" && "the protected file was not written",
      control.remote !== "rewritten" && "the push did not go through",
      control.journal.length > 0 && "a hook still ran",
    ],
  });
}

/** What the journal says about the n-th tool call of a scene, counted from 0. */
export function decisionOf({ journal }: Seen, step: number): string | undefined {
  return journal.filter((entry) => entry.event === "pre-tool")[step]?.decision;
}

/** What the journal says about the ends of turns, in order. */
export function turnEnds({ journal }: Seen): string[] {
  return journal.filter((entry: Entry) => entry.event === "turn-end").map((entry) => entry.decision);
}

/** Some agents pass the reason on as a message beside the tool's own words. */
function reasonIn(told: readonly Told[], isReason: (text: string) => boolean): string {
  const tool = toolText(told);
  return isReason(tool) ? tool : (told.map(({ text }) => text).find(isReason) ?? tool);
}

function allText(told: readonly Told[]): string {
  return told.map(({ text }) => text).join("\n");
}

/** True when the text names the thing at hand and sends the agent to a person: no tool's own output does. */
function explains(told: string, thing: string): boolean {
  return told.includes(thing) && /\b(person|people|you)\b/i.test(told);
}

/** Times, sizes and ids differ from run to run. */
function withoutFigures(text: string): string {
  return text.replace(/\b(?=[0-9a-f]*\d)[0-9a-f]+\b|\d+/g, "#");
}

const quoted = 160;

/** A short piece of the text on one line, beginning at `from` where that is given. */
function quote(text: string, p: Performance, from = ""): string {
  const line = shorten(text, p).replace(/\s+/g, " ").trim();
  const start = Math.max(0, from === "" ? 0 : line.indexOf(from));
  const piece = line.slice(start, start + quoted);
  return piece.length < line.length - start ? `${piece}…` : piece;
}

function shorten(text: string, { theatre }: Performance): string {
  return text.replaceAll(theatre.project, ".").replaceAll(theatre.home, "~").replaceAll(theatre.root, "…");
}
