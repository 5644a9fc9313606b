import type { Agent, Call } from "../../core/agent.ts";
import { type Event, type EventName, eventNames } from "../../core/event.ts";
import { type Dict, dict, flag, text, texts } from "../../core/read.ts";
import type { Tool } from "../../core/tool.ts";
import { replyToBridge } from "../_family/bridge-reply.ts";
import { pathsIn, serverTool } from "../_family/server-tool.ts";
import { can } from "./can.ts";

/** The events the bridge relays (docs: the plugin manual of 0.0.1790142911, 2026-11-30). */
const events: Readonly<Record<string, EventName>> = {
  "tool.call": "pre-tool",
  "agent.end": "turn-end",
};

/** Amp, by the plugin manual its program prints (docs: 0.0.1790142911, 2026-11-30). Its hooks live in a plugin. */
export const agent: Agent = {
  id: "amp",
  title: "Amp",
  events,
  can,
  payload: "stdin",
  parse,
  reply: replyToBridge,
};

/** Reads what the bridge sends: `{event: Amp's own event, name, command, files, root, child}`. */
function parse(raw: unknown, call: Call): Event | null {
  const payload = dict(raw);
  const event = dict(payload.event);
  const native = text(payload.name) ?? call.event ?? "";
  const name = events[native] ?? eventNames.find((known) => known === call.event);
  const base = {
    agent: "amp",
    native,
    session: text(dict(event.thread).id),
    cwd: text(payload.root),
    projectHint: null,
    subagent: flag(payload.child),
  };
  if (name === "pre-tool") {
    return { ...base, name, callId: text(event.toolUseID), tool: readTool(event, payload) };
  }
  if (name !== "turn-end") return null;
  return { ...base, name, continued: flag(payload.continued), backgroundTasks: 0, phase: "final" };
}

/**
 * Amp's own helpers say which command a call runs and which files it changes, whatever its tools are called
 * (docs). A patch text says more than they do: what is deleted and moved.
 */
function readTool(event: Dict, told: Dict): Tool {
  const name = text(event.tool) ?? "";
  const input = dict(event.input);
  const command = dict(told.command);
  const line = text(command.command) ?? text(input.cmd) ?? text(input.command);
  if (line !== null) return { kind: "shell", name, input, commands: [line], workdir: text(command.dir) };
  const patch = Object.values(input).find((value) => text(value)?.includes("*** Begin Patch"));
  if (patch !== undefined) return { kind: "patch", name, input, patch: text(patch) ?? "" };
  const files = texts(told.files);
  if (files.length > 0) return { kind: "edit", name, input, paths: files };
  if (name === "Task") return { kind: "agent", name, input, paths: [] };
  if (name.startsWith("mcp__")) return serverTool(name, input);
  return { kind: "other", name, input, paths: pathsIn(input) };
}
