import { expandWhole, expandWords, type Place } from "./expand.ts";
import { hasGlob, isOpaque } from "./marks.ts";
import { type Call, joinStreams, noText, type Stream, textStream, unknownText } from "./model.ts";
import type { Command, Redirect, Redirection, Word, WordPart } from "./parse.ts";
import { absolute } from "./place.ts";
import { touch } from "./record.ts";

/** How the words in redirections become text. */
interface Words {
  targets(word: Word): string[];
  text(word: Word): string;
  body(parts: readonly WordPart[]): string;
}

/** What the redirections of one command change. */
export interface Redirects {
  /** New standard input; null when it stays. */
  readonly stdin: Stream | null;
  /** Where a descriptor is connected to by `/dev/tcp/…`: a port of this machine, or the network; else null. */
  readonly toNetwork: "here" | "away" | null;
  /** Sends what the command prints where it goes; gives what is left on standard output. */
  finish(output: Stream): Stream;
}

export const noRedirects: Redirects = { stdin: null, toNetwork: null, finish: (output) => output };

const thisMachine = /^(?:localhost|127\.[\d.]+|::1|0\.0\.0\.0)$/;

/** Notes every file that the redirections write or read. */
export function applyRedirects(call: Call, redirections: readonly Redirection[], words: Words): Redirects {
  let stdin: Stream | null = null;
  let toNetwork: Redirects["toNetwork"] = null;
  const sinks: { readonly path: string; readonly append: boolean }[] = [];
  for (const one of redirections) {
    if (one.type === "HereString")
      stdin = textStream(one.target === undefined ? "" : `${words.text(one.target)}\n`);
    else if (one.type === "HereDoc") stdin = textStream(documentText(one.body, words));
    else if (one.target !== undefined) {
      for (const target of words.targets(one.target)) {
        const host = /^\/dev\/(?:tcp|udp)\/([^/]*)/.exec(target)?.[1];
        if (host !== undefined) toNetwork = toNetwork === "away" || !thisMachine.test(host) ? "away" : "here";
        if (!writes(one, target)) {
          if (reads(one)) stdin = readFile(call, target);
          continue;
        }
        const append = one.operator === ">>" || one.operator === "&>>" || one.operator === "<>";
        touch(call, "write", target, "a redirect writes its target", { keeps: append, ahead: true });
        if (takesOutput(one)) sinks.push({ path: absolute(call.scope.cwd, target), append });
      }
    }
  }
  const finish = (output: Stream) => (sinks.length === 0 ? output : store(call, sinks, output));
  return { stdin, toNetwork, finish };
}

/** A redirect's target in every way it may be read; zsh also writes to each member of a brace list. */
export function targetsOf(place: Place, word: Word): string[] {
  const braced = word.parts?.some((part) => part.type === "BraceExpansion") === true;
  return braced ? expandWords(place, [word]) : expandWhole(place, word);
}

/** `>! file` of zsh and csh: the target is the next word. */
export function noteForced(call: Call, node: Command, targets: (word: Word) => string[]): void {
  for (const one of node.redirects) {
    const target = one.type === "HereDoc" ? undefined : one.target;
    if (target?.value !== "!" && target?.value !== "|") continue;
    const next = node.args.find((arg): arg is Word => arg.type === "Word" && arg.pos >= one.end);
    for (const path of next === undefined ? [] : targets(next))
      touch(call, "write", path, "a redirect writes its target", { ahead: true });
  }
}

/** Keeps the text that went into files, for the case that the same command line runs them. */
export function store(
  call: Call,
  sinks: readonly { readonly path: string; readonly append: boolean }[],
  output: Stream,
): Stream {
  const files = call.scope.files;
  for (const { path, append } of sinks) {
    // A temp file has a name nobody knows, but its variable leads to the same one.
    if (hasGlob(path) || isOpaque(path) || path.startsWith("/dev/") || files.size > 64) continue;
    const before = append ? files.get(path) : undefined;
    files.set(path, before === undefined ? output : joinStreams(before, output));
  }
  return sinks.some((sink) => sink.path === "/dev/stdout" || sink.path === "/dev/tty") ? output : noText;
}

/** How a file is read that becomes standard input. */
export const readByRedirect = "a redirect reads its source";

/** What a file holds, as far as this command line wrote it. */
export function readFile(call: Call, name: string): Stream {
  touch(call, "read", name, readByRedirect, { ahead: true });
  if (/^\/dev\/(?:tcp|udp)\//.test(name)) return { text: unknownText.text, from: "network" };
  const path = absolute(call.scope.cwd, name);
  return call.scope.files.get(path) ?? { ...unknownText, files: [path] };
}

function documentText(
  body: { readonly text: string; readonly parts: readonly WordPart[] | undefined },
  words: Words,
): string {
  return body.parts === undefined ? body.text : words.body(body.parts);
}

function writes(one: Redirect, target: string): boolean {
  switch (one.operator) {
    case ">":
    case ">>":
    case ">|":
    case "&>":
    case "&>>":
    case "<>":
      return true;
    case ">&":
      return !/^(?:\d+-?|-)$/.test(target);
    case "<":
    case "<&":
      return false;
  }
}

function reads(one: Redirect): boolean {
  return one.operator === "<" && (one.descriptor === undefined || isDescriptor(one, 0));
}

function takesOutput(one: Redirect): boolean {
  return one.descriptor === undefined || isDescriptor(one, 1);
}

function isDescriptor(one: Redirect, number: number): boolean {
  return one.descriptor?.type === "FileDescriptor" && one.descriptor.value === number;
}
