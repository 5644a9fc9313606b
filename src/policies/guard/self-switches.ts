import type { Analysis, Step, Touch } from "../../shell/analyse.ts";
import { absolute, baseOf } from "../../shell/place.ts";
import type { CommandHit } from "./risky-commands.ts";

/** What is said about one way to change Holdfast. */
export type Said = Pick<CommandHit, "verdict" | "words"> & { readonly safer?: string };

/** Does a variable with this value switch checks off? */
export function switchesOff(name: string, value: string): boolean {
  if (name === "HOLDFAST") return !/^(?:1|on|true)?$/.test(value);
  return name === "HOLDFAST_DISABLE" || name === "HOLDFAST_HOME" || name === "HOLDFAST_CHILD";
}

/** The refusal of a variable that switches checks off. */
export function switchedBy(name: string): Said {
  return {
    verdict: "deny",
    words: `setting ${name} switches Holdfast's checks off, which only a person may do.`,
    safer: `Run it without ${name}.`,
  };
}

const interpreters = /^(?:i?python|pypy|node|bun|deno|tsx|ts-node|ruby|perl|php)[\d.]*$/;

/** A program in the command line that sets or takes away such a variable, for itself or for what it starts. */
export function switchedInside({ name, args, stdin, cwd }: Step, { written }: Analysis): Said | null {
  if (!interpreters.test(name)) return null;
  const script = args.find((word) => !word.startsWith("-")) ?? "";
  const texts = [...args, stdin.text, written.get(absolute(cwd, script))?.text ?? ""];
  for (const text of texts.filter((one) => one.includes("HOLDFAST"))) {
    for (const pattern of [assignedInside, givenInside])
      for (const { groups: { variable = "", value = "" } = {} } of text.matchAll(pattern))
        if (switchesOff(variable, value)) return switchedBy(variable);
    const removed = removedInside.exec(text)?.[1];
    if (removed !== undefined) return switchedBy(removed);
  }
  return null;
}

/** `os.environ["HOLDFAST"] = "0"`, `process.env.HOLDFAST = 0`, `{ HOLDFAST: "0" }`, `dict(HOLDFAST="0")`. */
const assignedInside =
  /(?:[[.{(,]\s*(["'`]?)|[[{(,]\s*:)(?<variable>HOLDFAST\w*)(?:\1|["'`])\s*[\]}]?\s*(?:=(?![=~>])|=>|:)\s*["'`]?(?<value>[\w/.~-]*)/g;
/** `os.putenv("HOLDFAST", "0")`, `putenv("HOLDFAST=0")`. */
const givenInside =
  /(?:putenv|setenv|setdefault|\.set|\.store)\s*\(?\s*["'`](?<variable>HOLDFAST\w*)(?:["'`]\s*,\s*["'`]?|=)(?<value>[\w/.~-]*)/g;
/** `os.environ.pop("HOLDFAST_HOME")`, `delete process.env.HOLDFAST_HOME`. */
const removedInside =
  /(?:\.(?:pop|delete)\s*\(|\bdel(?:ete)?\b|\bunset(?:env)?\b)[\s\w.$({[]{0,40}["'`]?(HOLDFAST\w*)/;

/** Agents whose own command line can leave their hooks out. */
const agents =
  /^(?:claude(?:-code)?|codex|gemini(?:-cli)?|qwen(?:-code)?|copilot|droid|letta|opencode(?:-ai)?|kilo(?:code)?|grok|goose)$/;

const offKey =
  /\b(?:disableAllHooks|hooksDisabled|hooks\.disabled|allowManagedHooksOnly|allow_managed_hooks_only)\b["']?[\s=:]+["']?true\b|\b(?:hooksConfig\.enabled|features\.(?:codex_)?hooks)\b["']?[\s=:]+["']?false\b/;
const hooksFeature = /^(?:codex_)?hooks$/;

/** An agent that is started without its hooks, or told to leave them out from now on. */
export function hooksOff({ name, args }: Step): Said | null {
  if (!agents.test(name)) return null;
  const [first = "", second = "", third = ""] = args;
  const told =
    (/^(?:config|settings)$/.test(first) && offKey.test(args.join(" "))) ||
    (first === "features" && second === "disable" && hooksFeature.test(third));
  const started = args.some((word, at) => {
    const [option = "", own] = word.split(/=(.*)/s);
    if (option === "--bare") return name.startsWith("claude");
    if (option === "--pure") return /^(?:opencode|kilo)/.test(name);
    const value = own ?? args[at + 1] ?? "";
    if (option === "--disable") return hooksFeature.test(value);
    return /^(?:--settings|--config|-c)$/.test(option) && offKey.test(value);
  });
  if (!told && !started) return null;
  return {
    verdict: "deny",
    words: `it leaves out the hooks of ${name}, Holdfast's among them, which only a person may do.`,
    safer: "Run it with its hooks.",
  };
}

/** A text in a file that switches checks off, or runs what is a person's to type, once a shell reads the file. */
export function laterOff(touch: Touch, analysis: Analysis): Said | null {
  if (touch.action !== "write" || touch.place === "remote") return null;
  const text = analysis.written.get(touch.named ?? touch.marked)?.text ?? "";
  const early = isStartUp(touch.path);
  // `npm pkg set scripts.test="…"` writes what it is given as an argument.
  const args = early ? (analysis.steps[touch.step]?.args.join("\n") ?? "") : "";
  const name = early ? (offIn(text) ?? offIn(args)) : null;
  if (name !== null) return switchedBy(name);
  const given = args.replace(/^[\w.[\]]+=/gm, "");
  const verb = isProse(touch.path) && !early ? undefined : (runBy(text) ?? runBy(given));
  if (verb === undefined) return null;
  return {
    verdict: "ask",
    words: `${touch.written} would run \`holdfast ${verb}\`, which is for the person to type, in a terminal of their own.`,
    safer: "Tell them what you need it for.",
  };
}

/** The command of Holdfast that a text runs and that is a person's to type. */
function runBy(text: string): string | undefined {
  return text.includes("holdfast") ? typed.exec(text)?.[1] : undefined;
}

const startUpName =
  /^(?:\.(?:bashrc|bash_\w+|profile|z?login|zshrc|zshenv|zprofile|kshrc|t?cshrc|xprofile|xsessionrc|pam_environment|envrc|env|env\..+|mise\.toml)|config\.fish|mise\.toml|.*profile\.ps1|devcontainer\.json|package\.json|(?:gnu)?makefile|justfile|taskfile\.ya?ml)$/i;
const startUpPath =
  /^\/etc\/(?:environment|profile|bash\.bashrc|z(?:shrc|shenv|profile)|zsh\/.+)$|\/(?:profile|environment|conf)\.d\/|\/\.(?:husky|git\/hooks)\/|\/\.(?:claude|codex|gemini|qwen|cursor|vscode|zed)\/[\w.-]+\.(?:json|toml)$/;

/** Is it read by shells, by what sets their variables when they start, or by what starts commands by name? */
function isStartUp(path: string): boolean {
  return startUpName.test(baseOf(path)) || startUpPath.test(path);
}

/** The variable that a text sets so that checks are off. */
function offIn(text: string): string | null {
  if (!text.includes("HOLDFAST")) return null;
  const code = text.replace(/^\s*#.*$/gm, "");
  for (const [, name = "", value = ""] of code.matchAll(assigned)) if (switchesOff(name, value)) return name;
  const unset = /\bunset\s+(?:-\w+\s+|\w+\s+)*(HOLDFAST\w*)/.exec(code)?.[1];
  if (unset !== undefined) return unset;
  for (const [, name = "", value = ""] of code.matchAll(
    /\bset(?:x|env)?\s+(?:-\w+\s+)*(HOLDFAST\w*)\s+["']?([\w/.~$-]*)/g,
  ))
    if (switchesOff(name, value)) return name;
  return null;
}

/** `HOLDFAST=0`, `"HOLDFAST": "0"`; not `${HOLDFAST_HOME:-…}` nor `[ "$HOLDFAST" = 0 ]`, which only look. */
const assigned = /(?<![$\w{])(HOLDFAST\w*)["']?\s*(?:=|:(?![-+?=]))\s*\\?["']?([\w/.~$-]*)/g;

/** A command of Holdfast where a command begins, also as a script of `package.json`. */
const typed =
  /(?:^|[;&|({`]|:[ \t]*["']|\b(?:then|do|else|run:))[ \t]*(?:(?:sudo|exec|command|npx|bunx|pnpx|-y)[ \t]+)*(?:[\w.~/$-]*\/)?holdfast(?:@[\w.-]+)?[ \t]+(allow|snooze|uninstall)\b/m;

/** Files that people read, and tests: what stands in them runs nowhere. */
function isProse(path: string): boolean {
  return (
    /\.(?:mdx?|markdown|txt|rst|adoc|html?|log|jsonl?|csv|diff|patch|snap)$/i.test(path) ||
    /\/(?:tests?|__tests__|specs?|fixtures|docs)\/|[._-](?:test|spec)\.\w+$/i.test(path) ||
    /(?:msg|message|notes?|body|changelog|readme)[^/]*$/i.test(path)
  );
}
