import type { World } from "../core/world.ts";
import { limits } from "./limits.ts";
import type { Function as FunctionNode } from "./parse.ts";

/** Where a text came from, as far as that decides whether it may run as code. */
export type Origin = "text" | "network" | "decoder" | "program";

/** What flows through a pipe: text that may carry marks. */
export interface Stream {
  readonly text: string;
  readonly from: Origin;
  /** Of an archive: the files in it that are known. */
  readonly members?: readonly string[];
  /** Of an archive: folders and files of this machine, as marked absolute paths, and their names in it. */
  readonly packed?: readonly { readonly from: string; readonly name: string }[];
  /** Files of this machine, as marked absolute paths, that it comes from as they are, or unpacked. */
  readonly files?: readonly string[];
  readonly git?: GitNames;
}

/** What git prints of its commits: only git knows the names in it. */
export interface GitNames {
  /** A whole commit, or what differs. */
  readonly kind: "tree" | "diff";
  readonly revs: readonly string[];
  /** Where git runs; marked, absolute. */
  readonly at: string;
}

/** A variable: the texts it may hold (one per way through the script), or the items of an array. */
export interface Value {
  readonly alts: readonly string[];
  readonly list: boolean;
  /** It stands for the variable of this name. */
  readonly ref?: string;
}

/** Where commands run: here, in a container, or on another machine. */
export type Place = "host" | "container" | "remote";

/** A folder of this machine that a container sees under another name. */
export interface Mount {
  readonly from: string;
  readonly to: string;
}

/** What a shell knows at one point of a script. Subshells work on a copy. */
export interface Scope {
  readonly vars: Map<string, Value>;
  /** How many variables there were before the text set any. */
  readonly given: number;
  readonly functions: Map<string, FunctionNode>;
  readonly aliases: Map<string, string>;
  /** Text of files that this command line wrote itself, by absolute path. */
  readonly files: Map<string, Stream>;
  params: readonly string[];
  /** Marked text, absolute unless it starts with an unknown. */
  cwd: string;
  /** Where the shell may be instead, because the `cd` to `cwd` may have failed; null when it hardly did. */
  instead: string | null;
  readonly back: string[];
  /** What `exec < file` made the standard input of all that follows; null without one. */
  input: Stream | null;
  /** What the variables that are local to the running function were before; null outside functions. */
  locals: Map<string, Value | undefined> | null;
  readonly place: Place;
  readonly mounts: readonly Mount[];
}

export type Action = "write" | "delete" | "move" | "read";

/** One file or folder that a command touches. */
export interface Touch {
  /** Absolute; a glob when `glob`. */
  readonly path: string;
  readonly glob: boolean;
  /** The whole folder below it too. */
  readonly tree: boolean;
  readonly action: Action;
  /** How it comes about, e.g. "tee writes its arguments". */
  readonly via: string;
  /** As typed. */
  readonly written: string;
  /** The path with its marks, for rules that weigh what is unknown. */
  readonly marked: string;
  /** Existing content stays: appending, creating a folder, changing times. */
  readonly keeps: boolean;
  /** The file itself is replaced also where it is a link. */
  readonly replaces?: true;
  /** What the path was before its links were followed. */
  readonly named?: string;
  readonly place: Place;
  /** Index into `Analysis.steps`; past its end for a redirect without a command. */
  readonly step: number;
  /** What listed the files that a pattern stands for. */
  readonly list?: NameList;
}

/** Names of files that a program printed, for who wants to know whether a file is among them. */
export interface NameList {
  /** The program that printed them, or let them through, with its arguments. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** What it chose from; null where it looked by itself. */
  readonly among: NameList | null;
}

/** Files that come along with a folder, a pattern or an archive: only who looks knows their names. */
export interface Bring {
  /** The folder, pattern, file or archive; marked, absolute. */
  readonly from: string;
  /** Where it goes; marked, absolute. */
  readonly to: string;
  /** Takes the place of `to`; goes below it; goes below it where it is a folder; its members go below it. */
  readonly how: "as" | "below" | "below-folder" | "unpacked";
  /** Its names, where they are git's to tell. */
  readonly git: GitNames | null;
  /** Folders go with all that is in them. */
  readonly deep: boolean;
  /** Leading folders that members of an archive lose. */
  readonly strip: number;
  /** Members of an archive that are picked; none: all. */
  readonly picked: readonly string[];
  /** Patterns of names, in order: `+` takes, `-` leaves out. */
  readonly filters: readonly string[];
  /** An option that leaves a file out. */
  readonly leaves: string;
  /** Index into `Analysis.steps`. */
  readonly step: number;
}

/** Code that runs although its text was not seen, by where it came from. */
export type Fact =
  | "runs-network-code"
  | "runs-decoded-code"
  | "network-shell"
  | "fork-bomb"
  | "http-delete"
  | "too-much";

/** One executed simple command. Words carry marks. */
export interface Step {
  /** Name without folders, e.g. `rm`; a mark when unknown. */
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly place: Place;
  /** Programs it runs inside, outermost first. */
  readonly wrappers: readonly string[];
  /** Variables set for it: by prefix, by `env`, or exported earlier. */
  readonly env: ReadonlyMap<string, string>;
  readonly stdin: Stream;
  /** Texts of files it is given by name, as far as the same command line wrote them. */
  readonly scripts: readonly string[];
  /** As a person would read it. */
  readonly text: string;
  /** Effects in words. */
  readonly effects: string[];
  readonly facts: Fact[];
}

export interface Analysis {
  readonly steps: readonly Step[];
  readonly touches: readonly Touch[];
  readonly brought: readonly Bring[];
  /** Texts that the command line writes into files, by absolute path, as far as they are known. */
  readonly written: ReadonlyMap<string, Stream>;
  /** What could not be seen, in words. */
  readonly unseen: readonly string[];
  /** Why the analysis stopped early; null when it went through. */
  readonly incomplete: string | null;
}

/** One simple command about to be looked at: its words after expansion and what surrounds it. */
export interface Call {
  readonly run: Run;
  readonly scope: Scope;
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly stdin: Stream;
  readonly wrappers: readonly string[];
}

/** How the parts that know programs get scripts and commands inside them executed. All give standard output. */
export interface Engine {
  /** Shell source text, run in this scope. */
  text(call: Call, source: string, scope: Scope, stdin: Stream): Stream;
  /** The body of a function that the script defined; `call` has its arguments. */
  body(call: Call, node: FunctionNode): Stream;
  /** PowerShell or cmd source text. */
  windows(call: Call, source: string, scope: Scope, stdin: Stream): Stream;
  /** Runs the substitutions in a text as if it stood in double quotes; gives what becomes of it. */
  substitute(at: Pick<Call, "run" | "scope" | "stdin">, text: string): string;
  /** One command, as `call` is. */
  program(call: Call): Stream;
  /** A command made of words, inside the wrapper that `call` is. */
  inner(call: Call, argv: readonly string[], changes?: Partial<Call>): Stream;
}

/** The analysis under way. */
export interface Run {
  readonly world: World;
  readonly engine: Engine;
  readonly steps: Step[];
  readonly touches: Touch[];
  /** What the touches cost to weigh. */
  weight: number;
  readonly brought: Bring[];
  /** Effects of redirects whose command is not recorded yet. */
  readonly ahead: string[];
  /** Touches already noted: how often, and the step that did it last, so that a repeated one costs nothing. */
  readonly seen: Map<string, { readonly last: number; readonly count: number }>;
  readonly unseen: Set<string>;
  /** Links that the command line makes: absolute path of the link, and where it leads. */
  readonly links: Map<string, string>;
  /** What listed the files, by the text that stands for them. */
  readonly lists: Map<string, NameList>;
  /** Texts that came out of a decoder. */
  readonly decoded: Set<string>;
  incomplete: string | null;
  /** The text itself does not parse. */
  broken: boolean;
  depth: number;
  work: number;
  /** Functions being executed, to notice recursion. */
  readonly calls: string[];
  /** The text is also walked as PowerShell, so cmdlets in the bash reading do not count. */
  windows: boolean;
  /** True inside a pipeline of several commands or a background job. */
  detached: boolean;
  /** What runs last, with the variables as they are then. */
  readonly traps: (() => void)[];
}

export const noText: Stream = { text: "", from: "text" };
export const unknownText: Stream = { text: "\uE001", from: "program" };

export function textStream(text: string, from: Origin = "text"): Stream {
  return { text, from };
}

/** One stream after the other. The least trustworthy origin wins. */
export function joinStreams(first: Stream, second: Stream): Stream {
  if (first.text === "") return second.from === "text" && first.from !== "text" ? first : second;
  if (second.text === "") return first;
  return { text: first.text + second.text, from: worse(first.from, second.from) };
}

export function worse(first: Origin, second: Origin): Origin {
  const order: readonly Origin[] = ["text", "program", "decoder", "network"];
  return order.indexOf(first) > order.indexOf(second) ? first : second;
}

/** Counts work; false when the budget is used up. */
export function spend(run: Run, amount = 1): boolean {
  if (run.incomplete !== null) return false;
  run.work += amount;
  if (run.work > limits.work) run.incomplete = "it does too much to follow";
  return run.incomplete === null;
}

/** Goes one script deeper for the time of `inside`; gives `otherwise` when that is too deep. */
export function deeper<T>(run: Run, otherwise: T, inside: () => T): T {
  if (run.depth >= limits.nesting) {
    run.incomplete ??= "it is nested too deeply";
    return otherwise;
  }
  run.depth++;
  const result = inside();
  run.depth--;
  return result;
}

export function copyScope(scope: Scope, changes: Partial<Scope> = {}): Scope {
  return {
    ...scope,
    vars: new Map(scope.vars),
    functions: new Map(scope.functions),
    aliases: new Map(scope.aliases),
    back: [...scope.back],
    ...changes,
  };
}

export function single(text: string): Value {
  return { alts: [text], list: false };
}
