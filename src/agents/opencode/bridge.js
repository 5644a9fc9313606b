// Carries OpenCode's plugin hooks to Holdfast and its verdicts back. It decides nothing itself, imports
// nothing but Node's own modules, and lets every call through when Holdfast cannot be reached.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const preToolMs = 10_000;
const turnEndMs = 600_000;

// The same plugin in user and project scope is loaded twice and every hook fires twice (ran: 1.18.33), so
// both copies share one answer per call.
const shared = (globalThis[Symbol.for("holdfast.opencode")] ??= { answers: new Map() });

export default { id: "holdfast", server };

async function server({ client, directory, worktree }) {
  const oneShot = process.argv[2] === "run";
  const pending = new Map();
  const failed = new Set();
  const judged = new Map();

  async function relay(event, sessionID, more, deadline) {
    const payload = JSON.stringify({ event, sessionID, directory, worktree, ...more });
    const known = shared.answers.get(payload);
    if (known) return known;
    const answer = ask(
      event === "tool.execute.before" ? "pre-tool" : "turn-end",
      payload,
      deadline,
      directory,
    );
    shared.answers.set(payload, answer);
    // Long enough for a twin in another scope, too short for the agent's next call.
    answer.finally(() => setTimeout(() => shared.answers.delete(payload), 50));
    return answer;
  }

  async function isChild(sessionID) {
    try {
      const session = await client.session.get({ path: { id: sessionID } });
      return Boolean(session.data?.parentID);
    } catch {
      return false;
    }
  }

  async function tell(messages) {
    for (const message of messages ?? []) {
      const body = { title: "Holdfast", message, variant: "warning", duration: 15_000 };
      await client.tui.showToast({ body }).catch(() => {});
      await client.app.log({ body: { service: "holdfast", level: "warn", message } }).catch(() => {});
    }
  }

  const send = (sessionID, text, noReply) =>
    client.session[noReply ? "prompt" : "promptAsync"]({
      path: { id: sessionID },
      body: { ...(noReply ? { noReply: true } : {}), parts: [{ type: "text", text }] },
    });

  // In the terminal interface and in `serve` the session is idle and a new prompt starts the next run.
  async function onIdle(sessionID) {
    if (oneShot || failed.has(sessionID) || (await isChild(sessionID))) return;
    const verdict = await relay("session.idle", sessionID, { turn: judged.get(sessionID) ?? 0 }, turnEndMs);
    await tell(verdict.messages);
    if (verdict.decision === "continue") {
      judged.set(sessionID, (judged.get(sessionID) ?? 0) + 1);
      await send(sessionID, verdict.reason, false);
    }
  }

  // `opencode run` exits right after the last step: the verdict must be ready by then, and a message
  // stored at that step is what keeps the run going (ran: 1.18.33).
  async function onStepFinish(part) {
    if (!oneShot || part.reason !== "stop") return;
    const verdict = pending.get(part.sessionID);
    pending.delete(part.sessionID);
    if (verdict?.decision !== "continue") return;
    await send(part.sessionID, verdict.reason, true);
    await relay("session.idle", part.sessionID, { phase: "settled", turn: part.id }, preToolMs);
  }

  return {
    "tool.execute.before": async (input, output) => {
      const args = output?.args ?? {};
      const verdict = await relay(
        "tool.execute.before",
        input.sessionID,
        { tool: input.tool, callID: input.callID, args },
        preToolMs,
      );
      await tell(verdict.messages);
      if (verdict.decision === "deny" || verdict.decision === "ask") throw new Error(verdict.reason);
      if (verdict.rewrite) Object.assign(args, verdict.rewrite);
    },
    "chat.message": async (input) => {
      failed.delete(input.sessionID);
    },
    "experimental.text.complete": async (input) => {
      if (!oneShot || (await isChild(input.sessionID))) return;
      const verdict = await relay(
        "experimental.text.complete",
        input.sessionID,
        { phase: "tentative", turn: input.partID },
        turnEndMs,
      );
      pending.set(input.sessionID, verdict);
      await tell(verdict.messages);
    },
    event: async ({ event }) => {
      try {
        const properties = event?.properties ?? {};
        if (event?.type === "session.error" && properties.sessionID) failed.add(properties.sessionID);
        if (event?.type === "session.idle") await onIdle(properties.sessionID);
        if (event?.type === "message.part.updated" && properties.part?.type === "step-finish") {
          await onStepFinish(properties.part);
        }
      } catch (error) {
        note(`event: ${error}`);
      }
    },
  };
}

// Never rejects: whatever goes wrong between here and Holdfast lets the call through and leaves a note.
function ask(event, payload, deadline, cwd) {
  return new Promise((resolve) => {
    const allow = { decision: "allow", reason: "", context: [], messages: [], rewrite: null };
    let out = "";
    let timer;
    const done = (verdict, why) => {
      clearTimeout(timer);
      if (why) note(`${event}: ${why}`);
      resolve(verdict);
    };
    try {
      const child = spawn(program(), ["hook", "opencode", event], {
        cwd: existsSync(cwd) ? cwd : homedir(),
        stdio: ["pipe", "pipe", "ignore"],
        shell: process.platform === "win32",
      });
      timer = setTimeout(() => {
        child.kill("SIGKILL");
        done(allow, `no answer in ${deadline} ms`);
      }, deadline);
      child.on("error", (error) => done(allow, String(error)));
      child.stdin.on("error", () => {});
      child.stdout.on("data", (chunk) => {
        out += chunk;
      });
      child.on("close", () => {
        try {
          done(out.trim() === "" ? allow : { ...allow, ...JSON.parse(out) });
        } catch {
          done(allow, "the answer was not JSON");
        }
      });
      child.stdin.end(payload);
    } catch (error) {
      done(allow, String(error));
    }
  });
}

function program() {
  const launcher = join(home(), "bin", process.platform === "win32" ? "holdfast.cmd" : "holdfast");
  return existsSync(launcher) ? launcher : "holdfast";
}

function home() {
  return process.env.HOLDFAST_HOME || join(homedir(), ".holdfast");
}

function note(text) {
  try {
    mkdirSync(home(), { recursive: true, mode: 0o700 });
    const line = JSON.stringify({ at: new Date().toISOString(), agent: "opencode", text });
    appendFileSync(join(home(), "breadcrumbs.log"), `${line}\n`, { mode: 0o600 });
  } catch {
    // A note that cannot be written must not stop the agent.
  }
}
