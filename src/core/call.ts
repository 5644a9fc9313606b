import { hasGaps, isCut } from "./cut.ts";
import type { Event } from "./event.ts";
import { hashAll } from "./hash.ts";
import type { Tool } from "./tool.ts";

/**
 * Stands for exactly this tool call: the agent, its session, the project, the working directory, the tool and
 * what it was asked to do. The content of a written file does not count, its path does. Null for anything but
 * a call before it runs, and for a call that was too large to be seen whole.
 */
export function callKey(event: Event, root: string | null): string | null {
  if (event.name !== "pre-tool") return null;
  const deed = deedOf(event.tool);
  if (deed === null || deed.some(isCut)) return null;
  const { agent, session, cwd, tool } = event;
  return hashAll([agent, session ?? "", root ?? "", cwd ?? "", tool.kind, tool.name, ...deed]);
}

/** The short name of a call that people type, e.g. `k3f9a`; two calls may share one, so it proves nothing. */
export function shortId(key: string): string {
  let rest = Number.parseInt(key.slice(0, 8), 16);
  let id = "";
  while (id.length < 5) {
    id += letters[rest % letters.length];
    rest = Math.floor(rest / letters.length);
  }
  return id;
}

/** Without the signs that look like others. */
const letters = "23456789abcdefghjkmnpqrstuvwxyz";

function deedOf(tool: Tool): readonly string[] | null {
  switch (tool.kind) {
    case "shell":
      return [tool.workdir ?? "", ...tool.commands];
    case "patch":
      return [tool.patch];
    case "write":
    case "edit":
    case "delete":
    case "read":
      return tool.paths;
    default:
      return hasGaps(tool.input) ? null : [...tool.paths, JSON.stringify(tool.input)];
  }
}
