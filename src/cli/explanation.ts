import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Event } from "../core/event.ts";
import type { Settings } from "../core/settings.ts";
import type { Verdict } from "../core/verdict.ts";
import type { World } from "../core/world.ts";
import { lineOfEntry } from "../manifest/locate.ts";
import type { LoadedSettings } from "../manifest/snapshot.ts";
import { type ProtectHit, protector } from "../paths/protect.ts";
import { judgeCommand } from "../policies/guard/command-line.ts";
import { readText } from "../runtime/files.ts";
import type { Touch } from "../shell/analyse.ts";
import { withoutMarks } from "../shell/marks.ts";

/** One command of a line, with what it does. */
export interface ExplainedStep {
  readonly text: string;
  readonly effects: readonly string[];
}

/** A protected file that something would change. */
export interface ExplainedHit {
  readonly path: string;
  /** Where a symlink leads, when only that place is protected. */
  readonly real: string | null;
  readonly pattern: string;
  /** `built-in`, or the manifest's line the pattern stands on. */
  readonly from: { readonly file: string; readonly line: number } | "built-in";
  /** How it comes about; empty for a path that was asked about. */
  readonly via: string;
}

/** A rule for risky commands that is met. */
export interface ExplainedRisk {
  readonly rule: string;
  /** The simple command that meets it. */
  readonly at: string;
  readonly words: string;
  readonly loss: string;
  readonly safer: string;
}

export interface Explanation {
  readonly kind: "command" | "path";
  readonly subject: string;
  readonly steps: readonly ExplainedStep[];
  readonly hits: readonly ExplainedHit[];
  readonly risks: readonly ExplainedRisk[];
  readonly verdict: Verdict;
  /** What the answer does not know. Never empty: a guard that claims to see everything lies. */
  readonly notSeen: readonly string[];
  /** How a person changes the outcome. */
  readonly change: string;
}

/** Is the argument a file rather than a command line? A lone word is one when it exists or looks like one. */
export function isPath(argument: string, cwd: string): boolean {
  if (/[\s;&|<>$`'"(){}]/.test(argument) || argument === "") return false;
  return /[./\\]/.test(argument) || existsSync(resolve(cwd, argument));
}

export function explainCommand(
  command: string,
  manifest: LoadedSettings,
  world: World,
  verdict: Verdict,
): Explanation {
  const { settings } = manifest;
  const { analysis, hits } = judgeCommand(command, settings, world);
  const { steps, touches, unseen, incomplete } = analysis;
  const changing = touches.filter(({ action, place }) => action !== "read" && place === "host");
  return {
    kind: "command",
    subject: command,
    steps: steps.map((step) => ({ text: withoutMarks(step.text), effects: step.effects })),
    hits: unique(changing.flatMap((touch) => hitOf(touch, settings, world, manifest))),
    risks: hits.filter(({ rule }) => rule !== "protect"),
    verdict,
    notSeen: [
      ...(incomplete === null ? [] : [`the rest of the command: ${incomplete}`]),
      ...unseen,
      "what a program or script that it starts writes by itself",
    ],
    change: changeOf(verdict, manifest),
  };
}

export function explainPath(
  path: string,
  manifest: LoadedSettings,
  world: World,
  verdict: Verdict,
): Explanation {
  const hit = protector(manifest.settings.protect, world).hit(path);
  return {
    kind: "path",
    subject: path,
    steps: [],
    hits: hit === null ? [] : [explainedHit(hit, "", manifest)],
    risks: [],
    verdict,
    notSeen: ["a program that writes it without being told to on its command line"],
    change: changeOf(verdict, manifest),
  };
}

/** The event an agent would have sent. */
export function eventFor(kind: Explanation["kind"], subject: string, cwd: string, agent: string): Event {
  const tool =
    kind === "command"
      ? ({
          kind: "shell",
          name: "shell",
          input: { command: subject },
          commands: [subject],
          workdir: null,
        } as const)
      : ({ kind: "write", name: "write", input: { file_path: subject }, paths: [subject] } as const);
  return {
    name: "pre-tool",
    native: "pre-tool",
    agent,
    session: "explain",
    cwd,
    projectHint: null,
    subagent: false,
    callId: null,
    tool,
  };
}

function hitOf(touch: Touch, { protect }: Settings, world: World, manifest: LoadedSettings): ExplainedHit[] {
  const guard = protector(protect, world);
  const whole = touch.tree ? guard.hitTree(touch.path) : guard.hit(touch.path);
  const hit = touch.glob ? guard.hitGlob(touch.path) : whole;
  return hit === null ? [] : [explainedHit(hit, touch.via, manifest)];
}

function explainedHit(
  { path, pattern, real }: ProtectHit,
  via: string,
  { file }: LoadedSettings,
): ExplainedHit {
  const line = file === null ? null : lineOfEntry(readText(file) ?? "", "protect", "paths", pattern);
  const from = file === null || line === null ? "built-in" : { file, line };
  return { path, real: real ?? null, pattern, from, via };
}

function changeOf({ decision, by }: Verdict, { file }: LoadedSettings): string {
  const where = file === null ? "holdfast.yaml (holdfast install writes one)" : "holdfast.yaml";
  if (decision === "allow") return `to protect a file, add it to protect.paths in ${where}`;
  if (by.includes("protect")) return `to allow it, add the file to protect.except in ${where}`;
  if (by.includes("self")) return `yours to do by hand; or protect.holdfast: false in ${where}`;
  if (by.includes("reads")) return `to allow it, take it out of protect.reads in ${where}`;
  if (by.some((rule) => rule.startsWith("rules/"))) return `your own rule: commands.rules in ${where}`;
  const rule = by[0] ?? "";
  return `to allow commands like this one without a question, set commands.override: { ${rule}: off } in ${where}`;
}

function unique(hits: readonly ExplainedHit[]): ExplainedHit[] {
  return [...new Map(hits.map((hit) => [`${hit.path}|${hit.pattern}|${hit.via}`, hit])).values()];
}
