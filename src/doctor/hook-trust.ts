import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { type Dict, dict, list, text } from "../core/read.ts";
import { realPath } from "../runtime/files.ts";

type Trust = "trusted" | "untrusted" | "changed" | "off";

/** One command of a hooks file, as the agent identifies it. */
export interface HookTrust {
  /** The agent's own event name. */
  readonly event: string;
  readonly command: string;
  /** `<file>:<event>:<group>:<handler>`. */
  readonly key: string;
  /** What the record must say for the hook to run. */
  readonly hash: string;
  readonly trust: Trust;
}

/**
 * Works out offline which hooks of a Codex `hooks.json` the person has approved. The record lies in the person's
 * `config.toml` under `[hooks.state]`, keyed by file, event and position; the hash is sha256 over the handler as
 * compact JSON with sorted keys. ran: codex-cli 0.171.0, 2026-11-30 (a record written this way made exactly that
 * hook run).
 *
 * @param hooksFile the file with the hooks, absolute @param userConfig `config.toml` of the person
 */
export function hookTrust(hooksFile: string, userConfig: string): HookTrust[] {
  const state = dict(dict(dict(readToml(userConfig)).hooks).state);
  const events = dict(dict(readJson(hooksFile)).hooks);
  return Object.entries(events).flatMap(([event, groups]) =>
    list(groups).flatMap((group, groupIndex) =>
      list(dict(group).hooks).map((handler, index) => {
        const key = `${hooksFile}:${snake(event)}:${groupIndex}:${index}`;
        const record = dict(state[key] ?? state[key.replace(hooksFile, realPath(hooksFile))]);
        const hash = `sha256:${trustHash(event, dict(group), dict(handler))}`;
        return {
          event,
          command: text(dict(handler).command) ?? "",
          key,
          hash,
          trust: trustOf(record, hash),
        };
      }),
    ),
  );
}

/** True when the project itself is trusted, without which its hooks are not even listed. */
export function projectTrusted(root: string, userConfig: string): boolean {
  const projects = dict(dict(readToml(userConfig)).projects);
  return [root, realPath(root)].some((path) => dict(projects[path]).trust_level === "trusted");
}

/** The person's `config.toml` for an agent whose user hooks lie in `file`. */
export function configBeside(file: string): string {
  return join(dirname(file), "config.toml");
}

/**
 * The text that is hashed is the agent's own normal form: defaults filled in, what the event has no use for left out,
 * keys sorted, no spaces.
 */
function trustHash(event: string, group: Dict, handler: Dict): string {
  const normal: Record<string, unknown> = {
    type: handler.type,
    command: handler.command,
    timeout: timeoutOf(event, handler.timeout),
    async: handler.async === true,
  };
  if (handler.statusMessage !== undefined) normal.statusMessage = handler.statusMessage;
  if (handler.additionalContextLimit !== undefined && !contextless.has(event))
    normal.additionalContextLimit = handler.additionalContextLimit;
  const whole: Record<string, unknown> = { event_name: snake(event), hooks: [normal] };
  if (group.matcher !== undefined && !matcherless.has(event)) whole.matcher = group.matcher;
  return createHash("sha256")
    .update(JSON.stringify(sorted(whole)))
    .digest("hex");
}

// ran: codex-cli 0.171.0, 2026-11-30 (`hooks/list` of its app-server for every event and field).
const matcherless = new Set(["UserPromptSubmit", "Stop", "Interrupt"]);
const contextless = new Set([
  "PermissionRequest",
  "PreCompact",
  "PostCompact",
  "SubagentStop",
  "Stop",
  "SessionEnd",
  "Interrupt",
]);
const shortEvents = new Set(["SessionEnd", "Interrupt"]);

/** Seconds. */
function timeoutOf(event: string, value: unknown): number {
  const short = shortEvents.has(event);
  const seconds = Math.max(1, typeof value === "number" ? value : short ? 1 : 600);
  return short ? Math.min(seconds, 3) : seconds;
}

function trustOf(record: Dict, hash: string): Trust {
  if (record.enabled === false) return "off";
  if (typeof record.trusted_hash !== "string") return "untrusted";
  return record.trusted_hash === hash ? "trusted" : "changed";
}

function snake(event: string): string {
  return event.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

function readToml(file: string): unknown {
  try {
    return parseToml(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null;
  }
}
