// Holdfast inside Amp, where a plugin is the only gate: Amp asks nobody by itself. A throw, and a tool call left
// without an answer, stop the whole thread, so neither may happen here.
import { ask, askThePerson, note, preToolMs, sign, turnEndMs } from "../_family/relay.js";

export default function holdfast(amp) {
  sign("amp");
  on(amp, "tool.call", onToolCall, { action: "allow" });
  on(amp, "agent.end", onAgentEnd, undefined);
}

function on(amp, name, handler, otherwise) {
  try {
    amp.on(name, async (event, ctx) => {
      try {
        return (await handler(event, ctx, amp)) ?? otherwise;
      } catch (error) {
        note("amp", `${name}: ${error}`);
        return otherwise;
      }
    });
  } catch (error) {
    note("amp", `${name}: ${error}`);
  }
}

async function onToolCall(event, ctx, amp) {
  const told = { command: commandOf(event, amp), files: filesOf(event, amp) };
  const verdict = await relay("pre-tool", "tool.call", event, told, amp, preToolMs);
  await tell(verdict.messages, ctx);
  if (verdict.decision === "deny") return { action: "reject-and-continue", message: verdict.reason };
  if (verdict.decision === "ask") return askPerson(verdict.reason, told.command, ctx);
  if (verdict.rewrite) return { action: "modify", input: rewritten(event.input, verdict.rewrite) };
}

// `requireHuman`: without it an agent acting for the person may answer.
async function askPerson(reason, command, ctx) {
  const message = command ? `${reason}\n\n    ${command.command.split("\n").join("\n    ")}` : reason;
  let agreed;
  try {
    const dialog = { title: "Holdfast", message, confirmButtonText: "Run it", requireHuman: true };
    agreed = await ctx.ui.confirm(dialog);
  } catch (error) {
    note("amp", `confirm: ${error}`);
    return { action: "reject-and-continue", message: `${reason}\n${askThePerson}` };
  }
  if (agreed === true) return;
  const no = "The person was asked and did not agree. Do not try another spelling.";
  return { action: "reject-and-continue", message: `${reason}\n${no}` };
}

async function onAgentEnd(event, ctx, amp) {
  if (event.status !== "done" || (await isChild(ctx))) return;
  const { id, thread } = event;
  const verdict = await relay("turn-end", "agent.end", { id, thread }, {}, amp, turnEndMs);
  await tell(verdict.messages, ctx);
  if (verdict.decision !== "continue") return;
  // Ours is the limit that counts; Amp's own would be 5.
  return { action: "continue", userMessage: verdict.reason, maxContinuations: 20 };
}

async function isChild(ctx) {
  try {
    return (await ctx.thread.parentThreadID()) !== null;
  } catch {
    return false;
  }
}

function relay(canonical, name, event, told, amp, deadline) {
  const root = rootOf(amp);
  const { toolUseID, tool, input, id, thread } = event;
  const payload = JSON.stringify({ name, event: { toolUseID, tool, input, id, thread }, ...told, root });
  return ask("amp", canonical, payload, deadline, root);
}

// Plugins start in their own folder, which in project scope still lies in the project (ran: 0.0.1790142911).
function rootOf(amp) {
  try {
    const { workspaceRoot } = amp.system;
    if (workspaceRoot) return amp.helpers.filePathFromURI(workspaceRoot);
  } catch (error) {
    note("amp", `workspaceRoot: ${error}`);
  }
  return process.cwd();
}

function commandOf(event, amp) {
  try {
    return amp.helpers.shellCommandFromToolCall(event) ?? null;
  } catch (error) {
    note("amp", `shellCommandFromToolCall: ${error}`);
    return null;
  }
}

function filesOf(event, amp) {
  try {
    return (amp.helpers.filesModifiedByToolCall(event) ?? []).map((uri) => amp.helpers.filePathFromURI(uri));
  } catch (error) {
    note("amp", `filesModifiedByToolCall: ${error}`);
    return [];
  }
}

// Shell tools take their command as `cmd` or as `command`.
function rewritten(input, rewrite) {
  const { command, ...rest } = rewrite;
  const key = typeof input?.cmd === "string" ? "cmd" : "command";
  return { ...input, ...rest, ...(command === undefined ? {} : { [key]: command }) };
}

async function tell(messages, ctx) {
  for (const message of messages ?? []) await ctx.ui.notify(message).catch(() => note("amp", message));
}
