// Holdfast inside pi. pi refuses to start when an extension fails, so nothing here may throw.
import { spawnSync } from "node:child_process";
import { allow, ask, askThePerson, note, preToolMs, program, sign, turnEndMs } from "../_family/relay.js";

const dialogMs = 600_000;

// The same extension in user and project scope is loaded twice; both copies share one answer per call.
const shared = (globalThis[Symbol.for("holdfast.pi")] ??= { answers: new Map(), settles: false });

export default function holdfast(pi) {
  sign("pi");
  on(pi, "tool_call", onToolCall);
  on(pi, "agent_before_settle", onSettle);
  // Before 0.87 no event could keep the agent going; there a message sent after its last step does.
  on(pi, "turn_end", (event, ctx) => onTurnEnd(event, ctx, pi));
}

function on(pi, name, handler) {
  try {
    pi.on(name, async (event, ctx) => {
      try {
        return await handler(event, ctx);
      } catch (error) {
        note("pi", `${name}: ${error}`);
      }
    });
  } catch (error) {
    note("pi", `${name}: ${error}`);
  }
}

async function onToolCall(event, ctx) {
  const { toolName, toolCallId, parentToolCallId, input } = event;
  const call = { type: "tool_call", toolName, toolCallId, parentToolCallId, input };
  const verdict = await once("pre-tool", call, ctx, preToolMs);
  tell(verdict.messages, ctx);
  if (verdict.decision === "deny") return { block: true, reason: verdict.reason };
  if (verdict.decision === "ask") return askPerson(event, verdict.reason, ctx);
  if (verdict.rewrite) Object.assign(input, verdict.rewrite);
}

// Both copies get here; the person is asked once.
async function askPerson(event, reason, ctx) {
  if (!ctx?.hasUI) return { block: true, reason: `${reason}\n${askThePerson}` };
  const key = `ask ${event.toolCallId}`;
  const known = shared.answers.get(key);
  const asked = known ?? confirmed(reason, event, ctx);
  if (!known) keep(key, asked);
  if (await asked) return;
  return {
    block: true,
    reason: `${reason}\nThe person was asked and did not agree. Do not try another spelling.`,
  };
}

async function confirmed(reason, event, ctx) {
  const command = event.input?.command;
  const text = typeof command === "string" ? `${reason}\n\n${command}` : reason;
  try {
    return (await ctx.ui.confirm("Holdfast", text, { timeout: dialogMs })) === true;
  } catch (error) {
    note("pi", `confirm: ${error}`);
    return false;
  }
}

async function onSettle(event, ctx) {
  shared.settles = true;
  if (event.outcome !== "completed") return;
  const verdict = await once("turn-end", { type: "agent_before_settle" }, ctx, turnEndMs);
  tell(verdict.messages, ctx);
  if (verdict.decision !== "continue") return;
  const sent = { type: "custom_message", customType: "holdfast", content: verdict.reason, display: true };
  return { entries: [...(event.entries ?? []), sent], continue: true };
}

// 1.6.0 reports an outcome here and settles afterwards; 0.73.1 does neither (ran: both, 2026-11-30).
async function onTurnEnd(event, ctx, pi) {
  if (shared.settles || "outcome" in event || event.toolResults?.length > 0) return;
  if (event.message?.stopReason !== "stop") return;
  const end = { type: "turn_end", turnIndex: event.turnIndex };
  const verdict = ctx?.hasUI ? await once("turn-end", end, ctx, turnEndMs) : askNow(end, ctx);
  tell(verdict.messages, ctx);
  if (verdict.decision === "continue") pi.sendUserMessage(verdict.reason, { deliverAs: "followUp" });
}

// In print mode pi 0.73 is already leaving after the first await.
function askNow(event, ctx) {
  const { stdout, error } = spawnSync(program(), ["hook", "pi", "turn-end"], {
    input: payloadOf(event, ctx),
    cwd: ctx?.cwd,
    timeout: turnEndMs,
    killSignal: "SIGKILL",
    stdio: ["pipe", "pipe", "ignore"],
    shell: process.platform === "win32",
    encoding: "utf8",
  });
  if (error) note("pi", `turn-end: ${error}`);
  return stdout?.trim() ? { ...allow, ...JSON.parse(stdout) } : allow;
}

function once(canonical, event, ctx, deadline) {
  const payload = payloadOf(event, ctx);
  const known = shared.answers.get(payload);
  if (known) return known;
  const answer = ask("pi", canonical, payload, deadline, ctx?.cwd ?? "");
  keep(payload, answer);
  return answer;
}

// Long enough for a twin in another scope, too short for the agent's next call.
function keep(key, answer) {
  shared.answers.set(key, answer);
  answer.finally(() => setTimeout(() => shared.answers.delete(key), 50).unref?.());
}

function payloadOf(event, ctx) {
  const session = ctx?.sessionManager?.getSessionId?.();
  return JSON.stringify({ event, ctx: { cwd: ctx?.cwd, hasUI: ctx?.hasUI, mode: ctx?.mode, session } });
}

function tell(messages, ctx) {
  for (const message of messages ?? []) {
    if (ctx?.hasUI) ctx.ui.notify(message, "warning");
    else process.stderr.write(`${message}\n`);
  }
}
