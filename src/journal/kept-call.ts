import { cutMark } from "../core/cut.ts";
import type { Event } from "../core/event.ts";
import { type Dict, dict, isDict, text, texts } from "../core/read.ts";
import { type FileTool, type OtherTool, type Tool, type ToolKind, toolKinds } from "../core/tool.ts";
import { redact } from "./redact.ts";
import type { Entry } from "./write.ts";

/** What a tool was asked to do, as far as it decides, so that it can be judged again later. */
export interface KeptCall {
  readonly kind: ToolKind;
  readonly name: string;
  readonly commands: readonly string[];
  readonly paths: readonly string[];
  /** Of a patch only the lines that name files. */
  readonly patch: string;
  readonly workdir: string | null;
  /** False when secrets were taken out or a long text was cut: judged again, it may mean something else. */
  readonly exact: boolean;
}

/** Characters kept of one call. */
const most = 4_000;

/** Takes what decides out of a tool call, without secrets. */
export function keepCall(tool: Tool): KeptCall {
  const workdir = tool.kind === "shell" ? tool.workdir : null;
  const parts = {
    commands: tool.kind === "shell" ? tool.commands : [],
    paths: "paths" in tool ? tool.paths : [],
    patch: tool.kind === "patch" ? [fileLines(tool.patch)] : [],
  };
  let room = most;
  let exact = true;
  const keep = (given: readonly string[]) =>
    given.map((one) => {
      const kept = redact(one).slice(0, Math.max(0, room));
      room -= kept.length;
      exact &&= kept === one && !one.includes(cutMark);
      return kept;
    });
  const commands = keep(parts.commands);
  const paths = keep(parts.paths);
  const [patch = ""] = keep(parts.patch);
  return { kind: tool.kind, name: tool.name, commands, paths, patch, workdir, exact };
}

/** Reads it back; null for anything else. */
export function toKeptCall(value: unknown): KeptCall | null {
  if (!isDict(value)) return null;
  const kind = toolKinds.find((one) => one === value.kind);
  if (kind === undefined) return null;
  return {
    kind,
    name: text(value.name) ?? "",
    commands: texts(value.commands),
    paths: texts(value.paths),
    patch: text(value.patch) ?? "",
    workdir: text(value.workdir),
    exact: value.exact === true,
  };
}

/** The event of an entry, as the agent sent it once; null where too little was kept. */
export function eventOf(entry: Entry): Event | null {
  if (entry.event !== "pre-tool" || entry.input === null) return null;
  return {
    name: "pre-tool",
    native: "pre-tool",
    agent: entry.agent,
    session: entry.session,
    cwd: entry.cwd,
    projectHint: null,
    subagent: false,
    callId: null,
    tool: toolOf(entry.input),
  };
}

function toolOf({ kind, name, commands, paths, patch, workdir }: KeptCall): Tool {
  const input: Dict = dict(null);
  if (kind === "shell") return { kind, name, input, commands, workdir };
  if (kind === "patch") return { kind, name, input, patch };
  return { kind, name, input, paths } satisfies FileTool | OtherTool as Tool;
}

function fileLines(patch: string): string {
  const lines = patch
    .split("\n")
    .filter((line) => /^(?:\*\*\* |---|\+\+\+|diff |rename |deleted )/.test(line));
  return lines.join("\n");
}
