import { globMatcher } from "../../paths/glob.ts";
import { plainPattern } from "../../shell/filter.ts";
import { absolute, baseOf, parentOf } from "../../shell/place.ts";
import { findStarts } from "../../shell/wrap/find.ts";
import type { Files } from "../context.ts";
import { acrossFolders, programGlob } from "./commands/pathspecs.ts";
import { isFolder, kindOfEntry } from "./entry-kind.ts";

/** One file or folder on the way of a search, and how it went there. */
interface Item {
  readonly path: string;
  /** As `find` prints it. */
  readonly printed: string;
  readonly depth: number;
  readonly files: Files;
  readonly cwd: string;
  readonly now: number;
  /** Links count as what they lead to. */
  readonly follows: boolean;
  reached: boolean;
  pruned: boolean;
}

/** Words of an expression that are read; brackets in brackets take their toll. */
const mostWords = 400;

/** True, false, or null where that is not known. `sure`: everything in front of it was true. */
type Test = (item: Item, sure: boolean) => boolean | null;

/** Does the first action of `find`, or its list where it has none, come to this path? What is not known counts as yes. */
export function findComesTo(
  argv: readonly string[],
  path: string,
  cwd: string,
  { files, now }: { readonly files: Files; readonly now: number },
): boolean {
  const { starts, tests } = findStarts(argv);
  const start = starts.findLast((one) => path.startsWith(`${absolute(cwd, one)}/`));
  if (start === undefined || tests.length > mostWords) return true;
  const top = absolute(cwd, start);
  const words = tests.map((word) => word.replace(/^\\(?=[()!]$)/, ""));
  const expression = anyOf({ words, at: 0 });
  const follows = argv.some((word) => /^-(?:L|follow)$/.test(word));
  const look = (one: string): Item => {
    const below = one.slice(top.length + 1);
    const printed = below === "" ? start : `${start.replace(/\/+$/, "")}/${below}`;
    const depth = below === "" ? 0 : below.split("/").length;
    const item = { path: one, printed, depth, files, cwd, now, follows, reached: false, pruned: false };
    const value = expression(item, true);
    if (!words.some((word) => actions.test(word))) item.reached = value !== false;
    return item;
  };
  for (let at = parentOf(path); at.length >= top.length; at = parentOf(at)) if (look(at).pruned) return false;
  return look(path).reached;
}

const actions = /^-(?:exec|execdir|ok|okdir|delete|print0?|printf|ls|fprint0?|fprintf|fls)$/;

interface Words {
  readonly words: readonly string[];
  at: number;
}

function anyOf(from: Words): Test {
  const branches = [allOf(from)];
  while (/^-or?$/.test(from.words[from.at] ?? "") || from.words[from.at] === ",") {
    from.at++;
    branches.push(allOf(from));
  }
  return (item, sure) => {
    let known = sure;
    let value: boolean | null = false;
    for (const branch of branches) {
      const one = branch(item, known);
      if (one === true) return true;
      if (one === null) [value, known] = [null, false];
    }
    return value;
  };
}

function allOf(from: Words): Test {
  const tests: Test[] = [];
  for (let word = from.words[from.at]; word !== undefined; word = from.words[from.at]) {
    if (word === ")" || word === "," || /^-or?$/.test(word)) break;
    if (/^-a(?:nd)?$/.test(word)) from.at++;
    else tests.push(single(from));
  }
  return (item, sure) => {
    let value: boolean | null = true;
    for (const test of tests) {
      const one = test(item, sure && value === true);
      if (one === false) return false;
      if (one === null) value = null;
    }
    return value;
  };
}

function single(from: Words): Test {
  const word = from.words[from.at++] ?? "";
  if (word === "!" || word === "-not") {
    const test = single(from);
    return (item, sure) => {
      const value = test(item, sure);
      return value === null ? null : !value;
    };
  }
  if (word === "(") {
    const inner = anyOf(from);
    from.at++;
    return inner;
  }
  if (word === "-prune")
    return (item, sure) => {
      item.pruned ||= sure;
      return true;
    };
  if (actions.test(word)) {
    if (/^-(?:exec|ok)/.test(word)) {
      const end = from.words.findIndex((one, at) => at >= from.at && /^(?:;|\\;|\+)$/.test(one));
      from.at = end < 0 ? from.words.length : end + 1;
    } else if (/^-(?:printf|fls|fprint)/.test(word)) from.at += word === "-fprintf" ? 2 : 1;
    return (item) => {
      item.reached = true;
      return true;
    };
  }
  if (word === "-empty")
    return ({ path, files }) =>
      isFolder(path, files)
        ? files.list(path).length === 0
        : nullOr(files.readText(path), (text) => text === "");
  if (alone.test(word))
    return () => (/^-(?:true|depth|d|mount|xdev|daystart|follow)$/.test(word) ? true : null);
  return primary(word, from.words[from.at++] ?? "", from.words);
}

const alone =
  /^-(?:true|false|depth|d|mount|xdev|daystart|follow|nouser|nogroup|readable|writable|executable|quit|warn|nowarn|noleaf|ignore_readdir_race)$/;

function primary(word: string, value: string, words: readonly string[]): Test {
  const name = word.replace(/^-i?/, "");
  switch (name) {
    case "name": {
      const matches = globMatcher(programGlob(value));
      return ({ path }) => matches(baseOf(path));
    }
    case "path":
    case "wholename": {
      const matches = acrossFolders(programGlob(value));
      return ({ printed }) => matches(printed);
    }
    case "regex": {
      const shape = plainPattern(
        value,
        words.some((one) => /^(?:posix-)?(?:extended|egrep)$/.test(one)),
      );
      const regex = shape === null ? null : new RegExp(`^(?:${shape})$`, word === "-iregex" ? "i" : "");
      return ({ printed }) => (regex === null ? null : regex.test(printed));
    }
    case "type":
    case "xtype":
      return ({ path, files, follows }) => {
        const through = follows === (name === "type");
        return kinds.test(value) ? value.includes(kindOfEntry(path, files, through)) : null;
      };
    case "maxdepth":
      return ({ depth }) => depth <= Number(value);
    case "mindepth":
      return ({ depth }) => depth >= Number(value);
    case "mtime":
      return ({ path, files, now }) => compared(value, ageOf(path, files, now, 86_400_000, Math.floor));
    case "mmin":
      return ({ path, files, now }) => compared(value, ageOf(path, files, now, 60_000, Math.ceil));
    case "newer":
      return ({ path, files, cwd }) => {
        const [own, other] = [files.times(path), files.times(absolute(cwd, value))];
        return own === null || other === null ? null : own.changed > other.changed;
      };
    case "size":
      return ({ path, files }) =>
        nullOr(files.readText(path), (text) => {
          const unit = sizes[/[cwkMG]$/.exec(value)?.[0] ?? "b"] ?? 512;
          return compared(value.replace(/[bcwkMG]$/, ""), Math.ceil(Buffer.byteLength(text) / unit));
        });
    default:
      return () => (name === "regextype" ? true : null);
  }
}

const kinds = /^[fdlpsbc](?:,[fdlpsbc])*$/;

const sizes: Readonly<Record<string, number>> = { b: 512, c: 1, w: 2, k: 1024, M: 1024 ** 2, G: 1024 ** 3 };

function nullOr<T>(text: string | null, say: (text: string) => T): T | null {
  return text === null ? null : say(text);
}

function ageOf(path: string, files: Files, now: number, unit: number, round: (age: number) => number) {
  const times = files.times(path);
  return times === null ? null : round((now - times.changed) / unit);
}

/** `+7`: more; `-7`: less. */
function compared(value: string, found: number | null): boolean | null {
  const number = Number(value.replace(/^[+-]/, ""));
  if (found === null || Number.isNaN(number)) return null;
  return value.startsWith("+") ? found > number : value.startsWith("-") ? found < number : found === number;
}
