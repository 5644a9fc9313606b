import type { Settings } from "../../core/settings.ts";
import type { World } from "../../core/world.ts";
import { type Protector, protector } from "../../paths/protect.ts";
import type { Analysis, Step } from "../../shell/analyse.ts";
import { asGlob, hasGlob, hasUnknown, isKnown } from "../../shell/marks.ts";
import { absolute } from "../../shell/place.ts";
import type { CommandHit } from "./risky-commands.ts";

/** The rule about reading; only in force for what `protect.reads` lists. */
export const readsRule = "reads";

/** The entry of `protect.reads` that stands for the variables of the shell as a whole. */
export const environmentEntry = "$env";

/** Something that may not be read, and is. */
export interface ReadHit {
  readonly path: string;
  readonly pattern: string;
  /** Index into the steps; -1 for a tool that reads files. */
  readonly step: number;
}

/** Files that a tool would read. */
export function readPaths(paths: readonly string[], settings: Settings, world: World): ReadHit[] {
  const guard = readGuard(settings, world);
  return paths.flatMap((path) => found(guard.hit(path), -1));
}

/** What a command line would read: by its redirects and scripts, and by the words of programs that read. */
export function readsOf(analysis: Analysis, settings: Settings, world: World): ReadHit[] {
  const guard = readGuard(settings, world);
  const hits = analysis.touches.flatMap((touch) => {
    if (touch.action !== "read" || touch.place !== "host") return [];
    return found(touch.glob ? guard.hitGlob(touch.path) : guard.hit(touch.path), touch.step);
  });
  const dumps = settings.protect.reads.includes(environmentEntry);
  analysis.steps.forEach((step, at) => {
    if (step.place !== "host") return;
    if (dumps && dumpsEnvironment(step))
      hits.push({ path: "the environment", pattern: environmentEntry, step: at });
    for (const word of wordsRead(step)) hits.push(...found(lookUp(word, step, guard), at));
  });
  return hits;
}

/** The patterns among the words that programs read, as absolute marked words, each with the index of its step. */
export function patternsRead({
  steps,
}: Analysis): readonly { readonly marked: string; readonly step: number }[] {
  return steps.flatMap((step, at) =>
    step.place !== "host"
      ? []
      : wordsRead(step)
          .filter((word) => hasGlob(word) && !hasUnknown(word))
          .map((word) => ({ marked: absolute(step.cwd, word), step: at })),
  );
}

/** The refusal to read a file. */
export function readHit({ path, pattern, step }: ReadHit, { steps }: Analysis): CommandHit {
  return {
    rule: readsRule,
    words: `${path} may not be read: protect.reads lists "${pattern}".`,
    loss: "",
    safer: "Ask the person for what you need from it.",
    verdict: "deny",
    at: steps[step]?.text ?? "",
    where: [{ step, touch: null }],
  };
}

/** Knows what may not be read. */
export function readGuard({ protect }: Settings, world: World): Protector {
  const paths = protect.reads.filter((entry) => entry !== environmentEntry);
  return protector({ paths, except: protect.except }, world);
}

function found(hit: ReturnType<Protector["hit"]>, step: number): ReadHit[] {
  return hit === null ? [] : [{ path: hit.path, pattern: hit.pattern, step }];
}

function lookUp(word: string, step: Step, guard: Protector): ReturnType<Protector["hit"]> {
  if (word === "" || hasUnknown(word[0] ?? "")) return null;
  const path = absolute(step.cwd, word);
  return isKnown(path) ? guard.hit(path) : guard.hitGlob(asGlob(path));
}

/** Programs whose operands are files that they print, search, send or turn into something else. */
const readers =
  /^(?:cat|tac|nl|less|more|most|bat|batcat|head|tail|base64|base32|xxd|od|hexdump|hd|strings|sort|uniq|cut|rev|fold|fmt|pr|expand|unexpand|iconv|join|shuf|tsort|split|csplit|zcat|zless|dos2unix|recode|pandoc|yj|paste|column|wc|diff|cmp|comm|awk|gawk|sed|jq|yq|source|\.|cp|scp|rsync|mv|ln|tar|zip|gzip|gpg|openssl|age|nc|ncat|type|gc|get-content|select-string|view|vi|vim|nano|emacs|code|open|xdg-open|pbcopy|xclip|git|dd|tee|install|shred|python3?|node|ruby|perl|php)$/;
/** Their first word is what they look for. */
const searchers = /^(?:grep|egrep|fgrep|zgrep|rg|ag|ack|ugrep)$/;
/** Options of programs that send files: the file is in their value, some after `@`. */
const senders = /^(?:curl|wget|http|https|xh|httpie)$/;

function wordsRead({ name, args, stdin }: Step): readonly string[] {
  if (senders.test(name)) return args.flatMap(sentFiles);
  if (searchers.test(name)) {
    const given = args.some((word) => /^(?:-[a-zA-Z]*[ef]|--(?:regexp|file)(?:=.*)?|--files)$/.test(word));
    const operands = args.filter((word) => !word.startsWith("-"));
    return given ? operands : operands.slice(1);
  }
  if (!readers.test(name)) return [];
  if (name === "git") return gitFiles(args);
  if (interpreters.test(name)) return [...args, ...[...args, stdin.text].flatMap(stringsIn)];
  return args.flatMap((word) => (word.startsWith("-") ? [] : [word, word.replace(/^[a-z]+=/, "")]));
}

const interpreters = /^(?:python3?|node|ruby|perl|php)$/;

/** The short texts in a program: one that is the name of such a file is hardly there for anything but reading it. */
function stringsIn(code: string): string[] {
  return [...code.slice(0, mostCode).matchAll(/(["'`])([^"'`\n]{1,200})\1/g)].map(([, , text = ""]) => text);
}

const mostCode = 100_000;

/** `-d @file`, `-F x=@file`, `-T file`, `file://…`: the value alone and what follows its `@`. */
function sentFiles(word: string): string[] {
  const value = word.replace(/^--?[\w-]+=?/, "");
  const at = value.lastIndexOf("@");
  const plain = value.replace(/^file:\/\//, "");
  return at < 0 ? [plain] : [plain, value.slice(at + 1).replace(/;.*$/, "")];
}

/** `git show HEAD:.env` names a file behind the colon; `git log -p -- .env` names it plainly. */
function gitFiles(args: readonly string[]): string[] {
  const [verb = "", ...rest] = args;
  if (!/^(?:show|cat-file|diff|log|blame|annotate|grep|archive|checkout-index|difftool)$/.test(verb))
    return [];
  const words = rest.filter((word) => !word.startsWith("-"));
  return words.flatMap((word) => [word, word.slice(word.indexOf(":") + 1)]);
}

function dumpsEnvironment({ name, args }: Step): boolean {
  if (name === "printenv" || name === "env") return args.every((word) => word.startsWith("-"));
  if (name === "set") return args.length === 0;
  if (/^(?:export|declare|typeset)$/.test(name)) return args.every((word) => /^-[px]+$/.test(word));
  if (/^(?:get-childitem|gci|dir|ls)$/i.test(name)) return args.some((word) => /^env:[\\/]?$/i.test(word));
  return args.some((word) => /^\/proc\/[^/]+\/environ$/.test(word));
}
