import { asGlob, hasGlob, hasUnknown, isKnown, literally, show } from "./marks.ts";
import type { Action, Bring, Call, Fact, NameList, Step, Touch } from "./model.ts";
import { absolute, throughMounts } from "./place.ts";
import { drivePath } from "./windows/world.ts";

/** Files of one command line that are weighed one by one; one that is dear to weigh counts as several. */
const mostTouches = 2_000;
const dear = 7;

/** Steps that do the same to the same file; what more of them do is known by then. */
const mostAlike = 16;

/** Words of a command that people are shown. */
const mostShown = 64;

/** No system opens a path of that many characters. */
const longestPath = 8192;

interface Details {
  readonly tree?: boolean;
  readonly keeps?: boolean;
  /** The file itself is replaced also where it is a link. */
  readonly replaces?: boolean;
  /** It is done by the command that is recorded next: redirects are looked at before their command. */
  readonly ahead?: boolean;
  /** What lists the files, where the text of the path does not tell. */
  readonly list?: NameList;
}

/** Links behind links that are followed. */
const mostHops = 8;

/** Notes that the command of `call` runs. The step collects what is found out about it. */
export function recordStep(call: Call, name: string): Step {
  const { run, scope, argv } = call;
  const step: Step = {
    name,
    args: argv.slice(1),
    cwd: scope.cwd,
    place: scope.place,
    wrappers: call.wrappers,
    env: call.env,
    stdin: call.stdin,
    scripts: ownTexts(call),
    text: argv.slice(0, mostShown).map(shown).join(" "),
    effects: run.ahead.splice(0),
    facts: [],
  };
  run.steps.push(step);
  return step;
}

/** `psql -f q.sql`, `--file=q.sql`, `sqlite3 app.db '.read q.sql'` after `echo … > q.sql`. */
function ownTexts({ scope, argv }: Call): string[] {
  if (scope.files.size === 0) return [];
  return argv.slice(1, mostShown).flatMap((word) => {
    if (word === "" || word.length > longestPath) return [];
    const names = [word, word.slice(Math.max(...["=", " ", "@"].map((sign) => word.lastIndexOf(sign))) + 1)];
    if (/^-\w./.test(word)) names.push(word.slice(2));
    const known = names.map((name) => scope.files.get(absolute(scope.cwd, name))).find((text) => text);
    return known === undefined ? [] : [known.text];
  });
}

/**
 * Notes a file that the current command touches, and what it leads to through links that the command line
 * made before. `written` is a marked word, relative to its folder.
 */
export function touch(call: Call, action: Action, written: string, via: string, details: Details = {}): void {
  if (call.run.weight >= mostTouches && call.run.incomplete !== null) return;
  note(call, action, written, via, details);
  const { instead } = call.scope;
  if (instead !== null && written !== "" && written !== "-")
    note(call, action, absolute(instead, written), via, details);
  const { links } = call.run;
  if (links.size === 0 || written === "" || written === "-") return;
  let path: string | null = absolute(call.scope.cwd, written);
  for (let hop = 0; hop < mostHops && path !== null; hop++) {
    const stays = details.replaces === true || action === "delete" || action === "move";
    path = throughLink(links, path, hop === 0 && stays);
    if (path !== null) note(call, action, path, via, details);
  }
}

/** Notes a link that the command line makes. */
export function noteLink(call: Call, link: string, target: string): void {
  const { links } = call.run;
  if (link !== target && isKnown(link) && links.size < 64) links.set(link, target);
}

/** Where the path leads; null when no link is on the way. A link that is deleted or replaced is not followed. */
function throughLink(links: ReadonlyMap<string, string>, path: string, stays: boolean): string | null {
  const own = links.get(path);
  if (own !== undefined) return stays ? null : own;
  for (const [link, target] of links) {
    if (path.startsWith(`${link}/`)) return absolute(target, path.slice(link.length + 1));
  }
  return null;
}

function note(call: Call, action: Action, written: string, via: string, details: Details): void {
  const { run, scope } = call;
  if (written === "" || written === "-") return;
  const native = run.world.platform === "win32" ? drivePath(written) : written;
  const seen = absolute(scope.cwd, native);
  const mapped = scope.place === "container" ? throughMounts(scope, seen) : null;
  const marked = mapped ?? seen;
  if (marked.length > longestPath) {
    run.incomplete ??= "a path in it is too long";
    return;
  }
  const kind = `${details.tree === true ? 1 : 0}${details.keeps === true ? 1 : 0}${details.ahead === true ? 1 : 0}`;
  const alike = `${action} ${kind} ${via} ${mapped === null ? scope.place : "host"} ${marked}`;
  const { last, count } = run.seen.get(alike) ?? { last: -1, count: 0 };
  if (last === run.steps.length || count >= mostAlike) return;
  run.seen.set(alike, { last: run.steps.length, count: count + 1 });
  if (run.weight >= mostTouches) {
    run.incomplete ??= "it touches too many files";
    return;
  }
  const unsure = !isKnown(marked);
  const takesTree = details.tree === true && action !== "write";
  run.weight += unsure || takesTree || !isPlain(marked) ? dear : 1;
  const list = details.list ?? (unsure ? run.lists.get(written) : undefined);
  const found: Touch = {
    path: unsure ? asGlob(marked) : marked,
    glob: hasGlob(marked) || hasUnknown(marked),
    tree: details.tree ?? false,
    action,
    via,
    written: show(written),
    marked,
    keeps: details.keeps ?? false,
    ...(details.replaces === true ? { replaces: true } : {}),
    place: mapped === null ? scope.place : "host",
    step: details.ahead === true ? run.steps.length : run.steps.length - 1,
    ...(list === undefined ? {} : { list }),
  };
  run.touches.push(found);
  if (action === "read") return;
  const effects = details.ahead === true ? run.ahead : run.steps.at(-1)?.effects;
  effects?.push(`${verbs[action]} ${show(marked)} (${via})`);
}

const mostBrought = 16;

/** Notes that files come along whose names nobody wrote. The paths are marked words, relative to the folder of the call. */
export function bring(
  call: Call,
  from: string,
  to: string,
  how: Bring["how"],
  more: Partial<Bring> = {},
): void {
  const { run, scope } = call;
  if (scope.place !== "host" || run.brought.length >= mostBrought) return;
  const places = { from: absolute(scope.cwd, from), to: absolute(scope.cwd, to), how };
  const usual = { deep: true, strip: 0, leaves: "", git: null };
  // No name of a file fits them in a shell, so programs get the patterns as they are.
  const [picked, filters] = [(more.picked ?? []).map(literally), (more.filters ?? []).map(literally)];
  run.brought.push({ ...usual, ...more, ...places, picked, filters, step: run.steps.length - 1 });
}

/** Without wildcards, and quickly compared. */
function isPlain(path: string): boolean {
  return path.length < 256 && /^[\w./@+-]*$/.test(path);
}

/** Notes something about the command itself that rules ask for. */
export function fact(call: Call, what: Fact): void {
  const facts = call.run.steps.at(-1)?.facts;
  if (facts !== undefined && !facts.includes(what)) facts.push(what);
}

export function unseen(call: Call, what: string): void {
  if (call.run.unseen.size < 50) call.run.unseen.add(what);
}

const verbs: Readonly<Record<Action, string>> = {
  write: "writes",
  delete: "deletes",
  move: "moves",
  read: "reads",
};

function shown(word: string): string {
  const text = show(word);
  return text === "" || /[\s"'`$;&|<>()]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text;
}
