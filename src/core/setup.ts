import type { Agent } from "./agent.ts";
import type { Dict } from "./read.ts";
import type { Settings } from "./settings.ts";

export type Scope = "user" | "project" | "local";

/** Directories and variables an agent's file plan depends on. Pure data, gathered by `install/detect`. */
export interface Machine {
  readonly home: string;
  /** Repository or project root, absolute; null outside any project. */
  readonly root: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  /**
   * Directory git runs hooks from, absolute; null outside a repository. `shared`: it is neither in the working
   * tree nor in git's own folder, so that other repositories may use it as well.
   */
  readonly gitHooks: { readonly dir: string; readonly insideTree: boolean; readonly shared?: boolean } | null;
}

/**
 * One change to one file, declaratively. `install/` turns it into a text span.
 * - `json-list`: append `value` to the array at `at` of a JSON or JSONC file, creating the way there.
 *   `ours` recognises an entry of ours (exact commands), also from earlier versions.
 * - `toml-list`: append `value` to the array of tables at `at` of a TOML file: as a `[[…]]` table at the end of
 *   the file, or inside the brackets of an array the person keeps inline. `ours` as above.
 * - `yaml-list`: append `value` to the list at `at` of a YAML file, in the style the list is written in, creating
 *   the way there. `ours` as above.
 * - `json-key`: a plain value that the agent wants at the top of a JSON file, e.g. a version. Written only where
 *   the key is missing, taken out only when nothing else is left in the file.
 * - `own-file`: a file wholly ours; `text` carries the managed header (see `managedMark`).
 * - `lines`: whole lines appended to a line-based file such as `.gitignore`, each at most once.
 * - `hook-script`: an executable script in a directory where a foreign script of the same name is
 *   kept as `chained` and still runs.
 * - `text`: the whole text of a file that stays the person's, computed from `expect` (null: a new file).
 * - `hint`: nothing is written; the person is shown what to add by hand.
 */
export type FilePlan =
  | {
      readonly kind: "json-list";
      readonly file: string;
      /** Object keys from the top, e.g. `["hooks", "PreToolUse"]`. */
      readonly at: readonly string[];
      readonly value: Readonly<Record<string, unknown>>;
      /** Commands that mark an entry as ours, compared as whole strings. */
      readonly ours: readonly string[];
      /** True where the agent reads plain JSON and ignores a file with comments or trailing commas. */
      readonly strict?: boolean;
      /** True where the agent knows entries by their position, so that removing one renumbers the later ones. */
      readonly positional?: boolean;
    }
  | ({ readonly kind: "toml-list" } & PlainList)
  | ({ readonly kind: "yaml-list" } & PlainList)
  | {
      readonly kind: "json-key";
      readonly file: string;
      readonly key: string;
      readonly value: string | number;
    }
  | { readonly kind: "own-file"; readonly file: string; readonly text: string; readonly mode: number }
  | { readonly kind: "lines"; readonly file: string; readonly lines: readonly string[] }
  | {
      readonly kind: "hook-script";
      readonly file: string;
      readonly chained: string;
      readonly text: string;
      readonly mode: number;
    }
  | { readonly kind: "text"; readonly file: string; readonly text: string; readonly expect: string | null }
  | { readonly kind: "hint"; readonly file: string; readonly message: string };

/** A list of flat entries in a file that stays the person's. */
interface PlainList {
  readonly file: string;
  readonly at: readonly string[];
  /** Keys and plain values, in the order they are written. */
  readonly value: Readonly<Record<string, string | number | boolean>>;
  readonly ours: readonly string[];
}

/** Stands in the first lines of every file that is wholly ours, followed by a content hash. */
export const managedMark = "holdfast managed file";

/**
 * What the person must do before a fresh install takes effect. `trust`: approve each hook, of which the agent
 * keeps a record that `doctor` reads. `folder-trust`: trust the folder, in the agent.
 */
export interface Activation {
  readonly kind: "none" | "new-session" | "restart" | "trust" | "folder-trust";
  /** One or two sentences to show. Empty for `none`. */
  readonly words: string;
}

/** How to find out whether the agent is on this machine. */
export interface Detect {
  /** Executable names looked up on PATH. */
  readonly commands: readonly string[];
  /** Directories relative to home, or absolute, whose existence also counts. */
  readonly folders: readonly string[];
  /** Arguments that print the version. */
  readonly versionArgs: readonly string[];
}

/**
 * Something that switches an agent's hooks off.
 * - `variable`: an environment variable that is set, and not to `0` or `false`.
 * - `setting`: a key of a JSON or TOML file, with the value that switches off. `named`: a list with the word `hooks`,
 *   or one that names Holdfast. `managed`: counts only where an administrator wrote it, outside home and project.
 * - `shadow`: a file beside the one that holds our hooks; a key in it takes the place of ours of the same name.
 * - `mention`: a file with a list of what is off, by a line that names Holdfast.
 */
export type OffSwitch =
  | { readonly kind: "variable"; readonly name: string }
  | {
      readonly kind: "setting";
      /** Keys from the top, joined by dots. */
      readonly key: string;
      readonly off: boolean | "named";
      readonly managed?: true;
    }
  | { readonly kind: "shadow"; readonly name: string; readonly keys: readonly string[] }
  | { readonly kind: "mention"; file(machine: Machine): string };

/** A setting that switches off by being true. */
export function offWhen(key: string, off: boolean | "named" = true): OffSwitch {
  return { kind: "setting", key, off };
}

/** A setting that counts only where an administrator wrote it. */
export function offWhenManaged(key: string, off: boolean | "named" = true): OffSwitch {
  return { kind: "setting", key, off, managed: true };
}

/** Where an agent writes down what it did, and how to read it. */
export interface Transcripts {
  /** Folders that hold `.jsonl` files, at any depth. */
  folders(machine: Machine): readonly string[];
  /**
   * The tool calls of one transcript, given its lines as parsed JSON, as the payloads the agent's own hook would
   * have sent. Lines of other shapes are passed over.
   */
  calls(lines: readonly unknown[]): readonly unknown[];
}

/**
 * Where an agent that loads a bridge of ours writes down that it was started in this project: doctor compares that
 * with the bridge's own sign of life. All times are milliseconds since the epoch.
 */
export interface Starts {
  /** The file to read, or the folder whose file names tell; absolute. Null outside a project. */
  place(machine: Machine): string | null;
  /** When it was started in the project at `root`, by the text of the file or the names in the folder. */
  times(text: string, root: string): readonly number[];
  /** What the agent itself says was wrong with the bridge at `file`, the last time; null when it does not say. */
  complaint(text: string, file: string): string | null;
}

/** The part of an agent that only `install`, `doctor`, `prove` and the docs need. */
export interface AgentSetup {
  readonly agent: Agent;
  readonly docs: string;
  readonly detect: Detect;
  /**
   * Variables it sets in the commands it starts, by which they are told from a person's; a `*` at the end stands
   * for any more. Not those by which a person configures it.
   */
  readonly marks?: readonly string[];
  readonly scopes: readonly Scope[];
  files(scope: Scope, machine: Machine): FilePlan[];
  activation(scope: Scope): Activation;
  /** What would switch the hooks off, however well they are installed. */
  readonly offSwitches: readonly OffSwitch[];
  /** Files an off switch may stand in, besides those that hold the hooks; `folder/*.json` for all of a folder. */
  settingsFiles?(machine: Machine): readonly string[];
  /** Absent where the agent keeps none that can be read. */
  readonly transcripts?: Transcripts;
  /** Absent where the agent has no bridge, or leaves no trace of its own that tells starts from other use. */
  readonly starts?: Starts;
  /** How to run it against a scripted model; null where it cannot be started headless. */
  readonly launch: Launch | null;
}

/** Model wire formats the scripted server speaks. */
export type Wire =
  | "anthropic-messages"
  | "openai-responses"
  | "openai-chat"
  | "gemini-generate-content"
  | "augment-chat-stream";

/** One step of a scripted model: a text, or one neutral tool call. */
export type Step =
  | { readonly say: string }
  | { readonly write: { readonly path: string; readonly content: string } }
  | { readonly edit: { readonly path: string; readonly from: string; readonly to: string } }
  | { readonly shell: string };

/** The agent's own tool call for a neutral step. */
export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>> | string;
  /** Free-form (Responses `custom_tool_call`) instead of JSON arguments. */
  readonly custom?: boolean;
}

/** Where one proof run happens. */
export interface Stage {
  readonly home: string;
  readonly project: string;
  readonly baseUrl: string;
  readonly settings: Settings;
}

export interface Launch {
  readonly wire: Wire;
  /** Program and arguments that run one prompt headless. The program is looked up on PATH. */
  command(prompt: string, stage: Stage): readonly string[];
  /** Environment beyond HOME, PATH, TERM and LANG. Dummy keys only. */
  env(stage: Stage): Readonly<Record<string, string>>;
  /** Files to write below home before the start: path relative to home → text. */
  homeFiles(stage: Stage): Readonly<Record<string, string>>;
  /**
   * Files to write below the project before the start: path relative to its root → text. They are
   * kept out of git, so that they are no change an agent made.
   */
  projectFiles?(stage: Stage): Readonly<Record<string, string>>;
  /**
   * `offered` are the names of the tools the agent offers its model in the request being answered. Null: there
   * is none, and words are said. An agent that ends a run only by a tool has one for the last words too.
   */
  tool(step: Step, stage: Stage, offered: readonly string[]): ToolCall | null;
  /** True for an agent that, once sent back at a turn's end, stops without asking its hooks again. */
  readonly asksOnce?: boolean;
  /** True for a request that offers tools but is about something else (a title, a summary): it uses up no turn. */
  isAside?(body: Dict): boolean;
  /** The same agent with other sets of tools, by a short kebab-case name; the guard is proved with each. */
  readonly variants?: Readonly<Record<string, Launch>>;
  /**
   * True for an agent that reads the project's hooks only when it is started in the project's root.
   * Started below it, such an agent is guarded by an install in user scope alone.
   */
  readonly rootOnly?: boolean;
  /** Protected file the proofs try to write, where the agent itself refuses `.env` before any hook. */
  readonly protectedFile?: string;
  /** What cannot be proved headless, with the reason; printed beside the result. */
  readonly notProved: readonly string[];
}
