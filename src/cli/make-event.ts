import type { Agent } from "../core/agent.ts";
import { type Event, type EventName, eventNames } from "../core/event.ts";
import { ProblemError } from "../core/problem.ts";
import { type Tool, type ToolKind, toolKinds } from "../core/tool.ts";
import { nearest } from "../manifest/nearest.ts";
import { usage } from "./parse.ts";

/** What the command line says about a tool call. */
export interface ToolWords {
  readonly tool: string | null;
  readonly command: string | null;
  readonly path: string | null;
  readonly content: string | null;
}

/** The canonical event a name means; the agents' own names count as well. Throws a usage error. */
export function eventNamed(name: string, agents: readonly Agent[]): EventName {
  const known: readonly string[] = eventNames;
  if (known.includes(name)) return name as EventName;
  const native = agents.map((agent) => agent.events[name]).find((event) => event !== undefined);
  if (native !== undefined) return native;
  const near = nearest(name, known);
  const message = `there is no event "${name}"${near === null ? "" : ` — did you mean "${near}"?`}`;
  throw new ProblemError(usage(message, `Events: ${eventNames.join(", ")}`));
}

/** An event as an agent would have sent it, from the words of the command line. */
export function makeEvent(
  name: EventName,
  agent: Agent,
  cwd: string,
  words: ToolWords & { prompt: string | null },
): Event {
  const native = Object.entries(agent.events).find(([, canonical]) => canonical === name)?.[0] ?? name;
  const base = { agent: agent.id, native, session: "simulated", cwd, projectHint: null, subagent: false };
  switch (name) {
    case "pre-tool":
    case "post-tool":
    case "tool-failed":
    case "permission":
      return { ...base, name, callId: null, tool: makeTool(words) };
    case "turn-end":
      return { ...base, name, continued: false, backgroundTasks: 0, phase: "final" };
    case "prompt":
      return { ...base, name, prompt: words.prompt ?? "" };
    default:
      return { ...base, name };
  }
}

function makeTool(words: ToolWords): Tool {
  const kind = kindOf(words);
  const { command, path, content } = words;
  const base = { name: words.tool ?? kind, input: inputOf(words) };
  switch (kind) {
    case "shell":
      if (command === null) throw missing("a shell call wants --command", '--command "git push -f"');
      if (path !== null) throw missing("a shell call has no --path", '--command "rm .env"');
      return { ...base, kind, commands: [command], workdir: null };
    case "write":
    case "edit":
    case "delete":
    case "read":
      if (path === null) throw missing(`--tool ${kind} wants --path`, "--path .env");
      return { ...base, kind, paths: [path] };
    case "patch":
      if (content === null)
        throw missing("a patch wants its text in --content", '--content "$(cat fix.patch)"');
      return { ...base, kind, patch: content };
    default:
      return { ...base, kind, paths: path === null ? [] : [path] };
  }
}

function kindOf({ tool, command, path }: ToolWords): ToolKind {
  if (tool === null) {
    if (command !== null) return "shell";
    if (path !== null) return "write";
    throw missing("say what the agent does", '--tool write --path .env, or --command "git push -f"');
  }
  const kind = toolKinds.find((one) => one === tool);
  if (kind !== undefined) return kind;
  const near = nearest(tool, toolKinds);
  const message = `there is no tool kind "${tool}"${near === null ? "" : ` — did you mean "${near}"?`}`;
  throw new ProblemError(usage(message, `Kinds: ${toolKinds.join(", ")}`));
}

function inputOf({ command, path, content }: ToolWords): Record<string, unknown> {
  const entries = Object.entries({ command, file_path: path, content });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

function missing(message: string, example: string): ProblemError {
  return new ProblemError(usage(message, `For example: ${example}`));
}
