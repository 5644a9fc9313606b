import type { Settings } from "../../core/settings.ts";

/**
 * Is this one of the command lines that agents run most, which look at things and change nothing:
 * `cd src && npm run build 2>&1 | tail -20`, `git status`, `ls -la`? Says yes only where the analysis would find
 * nothing to say under any settings, so that a hook need not load it; knows few programs and plain words. False
 * means nothing but that the analysis decides.
 */
export function isHarmless(command: string, { protect, commands }: Settings, platform: string): boolean {
  if (command.length > longest || platform === "win32") return false;
  if (protect.reads.length > 0 || commands.rules.length > 0) return false;
  if (command.includes(quotedWord) || special.test(command)) return false;
  const text = command.replace(quoted, quotedWord).replace(nowhere, " ");
  return plain.test(text) && text.trim().split(between).every(isKnownForm);
}

const longest = 1000;

/** Stands for a quoted text. */
const quotedWord = "\0";
const quoted = /"[^"$`\\;|&(){}<>\n]*"|'[^'\\;|&(){}<>\n]*'/g;
const nowhere = / (?:2>&1|[12&]?> ?\/dev\/null)(?=[ ;|\n]|$)/g;
const plain = /^[\w\0 \n./@:,+=~^*?&|;>-]+$/;
const between = /\s*(?:&&|\|\|?|;|\n)\s*/;

/** What reads like PowerShell, and Holdfast itself. */
const special = /[a-z]-[A-Z]|::|[Hh]oldfast|HOLDFAST/;

function isKnownForm(part: string): boolean {
  if (/[&|;>]/.test(part)) return false;
  const [program = "", ...args] = part.split(/ +/);
  if (looking.includes(program)) return true;
  const form = Object.hasOwn(forms, program) ? forms[program] : undefined;
  return form?.test(args.join(" ")) ?? false;
}

/** Programs that write nothing and run nothing, whatever their arguments. */
const looking =
  "cd ls pwd cat head tail wc grep egrep fgrep echo which whoami uname stat du df cut tr basename dirname realpath readlink nl sleep true false".split(
    " ",
  );

const script = "(?:test|t|run [\\w:.-]+)";
const forms: Readonly<Record<string, RegExp>> = {
  git: /^(?:(?:status|log|diff|show|rev-parse|ls-files|blame|branch)(?: (?:\w[\w./@:,~^-]*|\.|-\d+|-[abnpsvw]+|--(?:|oneline|stat|short|porcelain|staged|cached|name-only|name-status|all|graph|no-color|show-current|abbrev-ref|show-toplevel|decorate)))*|add(?: (?:-A|-u|\w[\w./-]*|\.))+|commit -a?m \0)$/,
  npm: new RegExp(`^${script}$`),
  pnpm: new RegExp(`^(?:${script}|build|lint|typecheck)$`),
  yarn: new RegExp(`^(?:${script}|build|lint|typecheck)$`),
  bun: new RegExp(`^${script}$`),
  npx: /^(?:tsc(?: --noEmit)?|(?:vitest run|jest|eslint)(?: \w[\w./-]*| \.)*)$/,
  cargo: /^(?:build|test|check|clippy)(?: --release| --all| --workspace| --all-targets)*$/,
  go: /^(?:build|test|vet)(?: \.[\w./]*)*$/,
  pytest: /^(?:-[qxvs]+|\w[\w./]*)?(?: -[qxvs]+| \w[\w./]*)*$/,
  make: /^(?:test|build|lint|check|all)?$/,
  node: /^(?:-v|--version)$/,
  python3: /^--version$/,
};
