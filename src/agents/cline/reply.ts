import { json, type Reply, silent } from "../../core/agent.ts";
import type { Event } from "../../core/event.ts";
import type { Verdict } from "../../core/verdict.ts";
import { replyToBridge } from "../_family/bridge-reply.ts";

/**
 * The answer for the surface that asked: our plugin, a script of the CLI, or a script of the editor extension.
 * Exit codes mean nothing to Cline; one JSON object does (ran: 3.0.65, 2026-11-30).
 */
export function reply(verdict: Verdict, event: Event): Reply {
  if (event.native === "beforeTool") return replyToBridge(verdict, event);
  const fields = isEditor(event) ? forEditor(verdict, event) : forCli(verdict, event);
  return Object.keys(fields).length === 0 ? silent : json(fields);
}

type Fields = Record<string, unknown>;

function forCli(verdict: Verdict, event: Event): Fields {
  if (verdict.decision === "continue") return { overrideInput: unfinished, ...told(verdict) };
  if (verdict.decision === "deny" && event.name === "pre-tool") {
    return refusesEmptyInput(event) ? { overrideInput: {}, ...told(verdict) } : cancel(verdict);
  }
  if (event.name === "post-tool") return told(verdict);
  if (event.name !== "pre-tool") return {};
  return { ...(verdict.rewrite === null ? {} : { overrideInput: verdict.rewrite }), ...told(verdict) };
}

/** Without a rewrite all that is left is to end the task (source: 4.1.13). */
function forEditor(verdict: Verdict, event: Event): Fields {
  if (verdict.decision === "deny" && event.name === "pre-tool") return cancel(verdict);
  return event.name === "pre-tool" || event.name === "post-tool" ? told(verdict) : {};
}

/** `submit_and_exit` wants a summary of ten letters or more, so this one is turned down (ran: 3.0.65). */
const unfinished = { summary: "x", verified: false };

/**
 * A refusal that lets the model go on: the tool turns down its empty input and the reason reaches the model. An
 * MCP tool gets the empty input sent on to its server, so there the run is ended (both ran: 3.0.65).
 */
function refusesEmptyInput(event: Event): boolean {
  return event.name === "pre-tool" && ["shell", "write", "edit", "patch"].includes(event.tool.kind);
}

function cancel(verdict: Verdict): Fields {
  return { cancel: true, errorMessage: verdict.reason };
}

function told(verdict: Verdict): Fields {
  const texts = [verdict.reason, ...verdict.context].filter((part) => part !== "");
  return texts.length === 0 ? {} : { contextModification: texts.join("\n\n") };
}

function isEditor(event: Event): boolean {
  return /^[A-Z]/.test(event.native);
}
