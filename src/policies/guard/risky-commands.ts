import type { CommandSettings, Settings } from "../../core/settings.ts";
import { type Verdict, verdict } from "../../core/verdict.ts";
import type { World } from "../../core/world.ts";
import { protector } from "../../paths/protect.ts";
import { type Analysis, analyse, type Step, type Touch } from "../../shell/analyse.ts";
import { literally } from "../../shell/marks.ts";
import { shellWorld } from "../../shell/windows/world.ts";
import { fits, type Line, lineOf, programsOf } from "./commands/match.ts";
import { ownRulesFor, ownWords, strengthOf } from "./commands/own-rules.ts";
import { inTemp } from "./commands/packs/git.ts";
import { packs } from "./commands/packs.ts";
import type { CommandRule, View } from "./commands/rule.ts";
import { isTestDatabase } from "./commands/test-database.ts";
import { targetOf } from "./commands/zones.ts";
import { protectHit, protectHits } from "./protected-commands.ts";
import { readHit, readsOf } from "./reads.ts";
import { selfHits } from "./self-commands.ts";
import { eitherWay, settle } from "./settle.ts";

/** One rule that a command hits. */
export interface CommandHit {
  readonly rule: string;
  readonly words: string;
  readonly loss: string;
  readonly safer: string;
  readonly verdict: "ask" | "deny";
  /** The simple command that hits it. */
  readonly at: string;
  /** Every place where it is hit. */
  readonly where: readonly Where[];
  /** Met by a write to everything of a kind: what is on the disk decides. */
  readonly swept?: true;
}

export interface Where {
  /** Index into the steps. */
  readonly step: number;
  /** The file it is about, for rules about files. */
  readonly touch: Touch | null;
}

export interface CommandJudgement {
  readonly verdict: Verdict;
  readonly analysis: Analysis;
  readonly hits: readonly CommandHit[];
}

/**
 * What the guard says to a shell command: refused when it changes a protected path, asked about (or refused,
 * or let through, by `commands.risky`) when it hits a risk rule or cannot be followed to its end. Pure.
 */
export function judgeCommand(command: string, settings: Settings, machine: World): CommandJudgement {
  const world = shellWorld(machine);
  const analysis = analyse(command, world);
  const changes = analysis.touches.some((touch) => touch.action !== "read");
  const settled = changes ? settle(analysis, world) : analysis;
  const protectedHits =
    changes && settings.protect.paths.length > 0
      ? protectHits(analysis, protector(settings.protect, world), world)
      : [];
  const hits = [
    ...protectedHits,
    ...selfHits(eitherWay(analysis, settled), settings, world, protectHit),
    ...readHits(analysis, settings, world),
    ...ownHits(analysis, settings.commands),
    ...riskHitsOf(settled, world, settings.commands),
  ];
  return { verdict: verdictOf(hits), analysis: settled, hits };
}

/** What the hits mean together. */
export function verdictOf(hits: readonly CommandHit[]): Verdict {
  if (hits.length === 0) return verdict({});
  const decision = hits.some((hit) => hit.verdict === "deny") ? "deny" : "ask";
  const deciding = hits.filter((hit) => hit.verdict === decision);
  return verdict({
    decision,
    reason: [...new Set(deciding.map(reasonOf))].slice(0, mostReasons).join("\n"),
    by: [...new Set(deciding.map((hit) => hit.rule))],
  });
}

const mostReasons = 5;

function reasonOf(hit: CommandHit): string {
  if (hit.rule === "protect") return `${hit.words} ${hit.safer}`;
  if (hit.at === "") return `${hit.words} ${hit.safer}`.trimEnd();
  if (hit.loss === "") return `\`${shortened(hit.at)}\`: ${hit.words} ${hit.safer}`.trimEnd();
  const named = `\`${shortened(hit.at)}\` ${hit.words}${unnamed(hit)}`;
  return `${named}. What could be lost: ${hit.loss} Safer: ${hit.safer}`;
}

/** The file it is about, where the simple command does not name it (that of a redirect, of a script) or it is another. */
function unnamed({ at, where }: CommandHit): string {
  const touch = where[0]?.touch ?? null;
  if (touch?.named !== undefined) return ` (${shortened(touch.written)} leads to ${shortened(touch.path)})`;
  if (touch === null || shortened(at).includes(touch.written)) return "";
  return ` (${shortened(touch.glob ? touch.written : touch.path)})`;
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}

interface Matcher {
  readonly rule: CommandRule;
  readonly patterns: readonly string[];
}

const byProgram = new Map<string, readonly Matcher[]>();
const everyRule: readonly CommandRule[] = packs.flatMap((pack) => pack.rules);
const touchRules = everyRule.filter((rule) => rule.touch !== undefined);
const factRules = everyRule.filter((rule) => rule.facts !== undefined);

/** Rules that speak about a program, found when it is first met: most commands need only a few. */
function matchersOf(name: string): readonly Matcher[] {
  const known = byProgram.get(name);
  if (known !== undefined) return known;
  const matchers: Matcher[] = [];
  for (const rule of everyRule) {
    const patterns = (rule.match ?? []).filter(
      (pattern) => pattern.includes(name) && programsOf(pattern).includes(name),
    );
    if (patterns.length > 0 || rule.programs?.includes(name) === true) matchers.push({ rule, patterns });
  }
  if (byProgram.size < 1000) byProgram.set(name, matchers);
  return matchers;
}

function readHits(analysis: Analysis, settings: Settings, world: World): CommandHit[] {
  if (settings.protect.reads.length === 0) return [];
  return readsOf(analysis, settings, world).map((hit) => readHit(hit, analysis));
}

function ownHits(analysis: Analysis, { rules }: CommandSettings): CommandHit[] {
  if (rules.length === 0) return [];
  return analysis.steps.flatMap((step, at) =>
    ownRulesFor(step, rules).map((rule) => ({
      rule: rule.id,
      words: ownWords(rule),
      loss: "",
      safer: "",
      verdict: rule.verdict,
      at: step.text,
      where: [{ step: at, touch: null }],
    })),
  );
}

/** The built-in rules that a command meets, as far as the settings count them. */
export function riskHitsOf(analysis: Analysis, world: World, commands: CommandSettings): CommandHit[] {
  if (isAllOff(commands)) return [];
  const hits = new Map<string, CommandHit & { readonly where: Where[] }>();
  const add = ({ id, words, loss, safer }: Risk, at: string, place: Where) => {
    const strength = strengthOf(id, commands);
    if (strength === "off") return;
    const known = hits.get(id);
    if (known !== undefined) known.where.push(place);
    else hits.set(id, { rule: id, words, loss, safer, verdict: strength, at, where: [place] });
  };
  const touchesBy = grouped(analysis.touches);
  analysis.steps.forEach((step, at) => {
    const view: View = { world, touches: touchesBy.get(at) ?? [] };
    for (const rule of stepRules(step, view)) add(rule, step.text, { step: at, touch: null });
  });
  for (const touch of analysis.touches) {
    if (touch.action === "read") continue;
    const step = analysis.steps[touch.step];
    const view: View = { world, touches: touchesBy.get(touch.step) ?? [] };
    const target = targetOf(touch, world);
    for (const rule of touchRules)
      if (rule.touch?.(touch, target, view) === true)
        add(rule, step?.text ?? touch.written, { step: touch.step, touch });
  }
  if (analysis.incomplete !== null) {
    const words = `could not be followed to its end, because ${analysis.incomplete}`;
    const safer = "Split it into shorter commands.";
    const budget = { id: "budget", words, loss: "whatever the rest does.", safer };
    add(budget, analysis.steps[0]?.text ?? "The command", { step: 0, touch: null });
  }
  return [...hits.values()];
}

type Risk = Pick<CommandRule, "id" | "words" | "loss" | "safer">;

function isAllOff({ risky, packs, override }: CommandSettings): boolean {
  const said = [risky, ...Object.values(packs), ...Object.values(override)];
  return said.every((strength) => strength === "off");
}

function grouped(touches: readonly Touch[]): Map<number, Touch[]> {
  const groups = new Map<number, Touch[]>();
  for (const touch of touches) {
    const list = groups.get(touch.step);
    if (list === undefined) groups.set(touch.step, [touch]);
    else list.push(touch);
  }
  return groups;
}

/** Cmdlets of the clouds: `Remove-AzResourceGroup`, `Remove-S3Bucket`. */
const cloudCmdlet = /^(remove|stop)-(?:az|s3|ec2|rds|gce|gcs|gcp|iam|r53|ddb|lm|cfn|aks|eks|ecs|sqs|sns)\w*$/;

/** Cmdlets that take something away, but not only from the running session. */
const lastingRemoval =
  /^remove-(?!(?:item|itemproperty|variable|module|job|alias|psdrive|pssession|psbreakpoint|event|typedata|custom\w+|cloud|local\w+|netfirewallrule|netroute|partition|service|appxpackage|wmiobject|ciminstance|windows\w+|eventlog|computerrestorepoint|wb\w+|physicaldisk|virtualdisk|storagepool|aduser)$)[a-z]{2,}$/;

function stepRules(step: Step, view: View): CommandRule[] {
  const matchers = matchersOf(ruledName(step));
  const found = factRules.filter((rule) => rule.facts?.some((fact) => step.facts.includes(fact)));
  if (matchers.length === 0 || asksForHelp(step) || isWhatIf(step) || isLocalCloud(step)) return found;
  let line: Line | null = null;
  for (const { rule, patterns } of matchers) {
    line ??= lineOf(step);
    const current = line;
    const hit = patterns.some((pattern) => fits(pattern, current)) || rule.step?.(step, view) === true;
    if (hit && !isSparedBy(rule.id, step, view)) found.push(rule);
  }
  return found;
}

/** Where a rule is met and nothing that is worth a question can be lost. */
function isSparedBy(rule: string, step: Step, view: View): boolean {
  if (/^git\/(?:discard|history|delete-branch)$/.test(rule)) return inTemp(step, view);
  return rule === "database/drop" && isTestDatabase(step);
}

/** The name by which rules speak about programs of many names. */
function ruledName({ name: given, text }: Step): string {
  const name = given.toLowerCase();
  if (name.startsWith("mkfs") || name.startsWith("newfs")) return name.replace(/^(mkfs|newfs)[._].*$/, "$1");
  if (!name.includes("-")) return name;
  const cmdlet = name.replace(cloudCmdlet, "$1-cloud");
  // A package's script may be called `remove-dist`; cmdlets are written with a capital.
  return /[Rr]emove-[A-Z]/.test(text) ? cmdlet.replace(lastingRemoval, "remove-thing") : cmdlet;
}

/** A last `-h` has no value, so that it cannot name a host; `shutdown -h` halts. */
function asksForHelp({ name, args }: Step): boolean {
  if (args.some((word) => /^(?:--help|-\?|\/\?)$/.test(literally(word)))) return true;
  return args.at(-1) === "-h" && name !== "shutdown";
}

/** `aws --endpoint-url http://localhost:4566`: an imitation of the cloud on this machine. */
function isLocalCloud({ name, args, env }: Step): boolean {
  if (name !== "aws") return false;
  const words = [...args, env.get("AWS_ENDPOINT_URL") ?? ""];
  return words.some((word) =>
    /^(?:--endpoint-url=)?https?:\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1\])/.test(word),
  );
}

function isWhatIf(step: Step): boolean {
  return step.args.some((word) => /^-wh(?:atif)?$/i.test(word));
}
