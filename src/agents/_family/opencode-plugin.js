// The plugin OpenCode and its fork Kilo Code load. It carries plugin hooks to Holdfast and verdicts back, and
// decides nothing itself. Shipped as text between relay.js and the agent's own bridge.js.
import { ask, askThePerson, note, preToolMs, sign, turnEndMs } from "./relay.js";

// Begins the first line of a command that waits for the person, and is the permission pattern it is known by.
const askMark = "HOLDFAST_ASKS=";

/**
 * `agent`: id of the host. `lastChance`: what `run`, which waits for no tests, still takes a prompt at.
 * `asks`: the host's own permission dialog can be raised for one command.
 */
export function pluginServer({ agent, lastChance, asks }) {
  // The same plugin in user and project scope is loaded twice and every hook fires twice (ran: OpenCode
  // 1.18.33), so both copies share one answer per call.
  const shared = (globalThis[Symbol.for(`holdfast.${agent}`)] ??= {
    answers: new Map(),
    unanswered: new Map(),
  });

  return async function server({ client, directory, worktree }) {
    sign(agent);
    const inRun = process.argv[2] === "run";
    const pending = new Map();
    const failed = new Set();
    const judged = new Map();

    async function relay(event, sessionID, more, deadline) {
      const payload = JSON.stringify({ event, sessionID, directory, worktree, ...more });
      const known = shared.answers.get(payload);
      if (known) return known;
      const canonical = event === "tool.execute.before" ? "pre-tool" : "turn-end";
      const answer = ask(agent, canonical, payload, deadline, directory);
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

    // The session is idle and a new prompt starts the next run.
    async function onIdle(sessionID) {
      if (inRun) return atLastChance("idle", sessionID, { id: judged.get(sessionID) ?? 0 });
      if (failed.has(sessionID) || (await isChild(sessionID))) return;
      const verdict = await relay("session.idle", sessionID, { turn: judged.get(sessionID) ?? 0 }, turnEndMs);
      await tell(verdict.messages);
      if (verdict.decision === "continue") {
        judged.set(sessionID, (judged.get(sessionID) ?? 0) + 1);
        await send(sessionID, verdict.reason, false);
      }
    }

    // Between a step and idle more tools may be called: what was decided before them is no longer true.
    async function onStepFinish(part) {
      if (part.reason === "stop") await atLastChance("step", part.sessionID, part);
      else if (lastChance === "idle") pending.delete(part.sessionID);
    }

    // `run` exits right after the last step: the verdict must be ready by then. A message stored at that step
    // is what keeps OpenCode's going (ran: 1.18.33), a prompt sent without delay when idle Kilo's (ran: 7.7.7).
    async function atLastChance(moment, sessionID, { id }) {
      if (!inRun || moment !== lastChance) return;
      const verdict = pending.get(sessionID);
      pending.delete(sessionID);
      if (verdict?.decision !== "continue") return;
      judged.set(sessionID, (judged.get(sessionID) ?? 0) + 1);
      await send(sessionID, verdict.reason, moment === "step");
      await relay("session.idle", sessionID, { phase: "settled", turn: id }, preToolMs);
    }

    // In `run` nobody can answer: the host would end the whole run, or with --auto say yes.
    function raise(input, args, reason) {
      const isCommand = input.tool === "bash" && typeof args.command === "string";
      if (!asks || inRun || !isCommand || process.platform === "win32") {
        throw new Error(`${reason}\n${askThePerson}`);
      }
      shared.unanswered.set(input.callID, reason);
      const line = askLine(reason);
      if (!args.command.startsWith(line)) args.command = line + args.command;
    }

    const hooks = {
      "tool.execute.before": async (input, output) => {
        const args = output?.args ?? {};
        const call = { tool: input.tool, callID: input.callID, args };
        const verdict = await relay("tool.execute.before", input.sessionID, call, preToolMs);
        await tell(verdict.messages);
        if (verdict.decision === "deny") throw new Error(verdict.reason);
        if (verdict.decision === "ask") raise(input, args, verdict.reason);
        else if (verdict.rewrite) Object.assign(args, verdict.rewrite);
      },
      "chat.message": async (input) => {
        failed.delete(input.sessionID);
      },
      "experimental.text.complete": async (input) => {
        if (!inRun || (await isChild(input.sessionID))) return;
        const turn = { phase: "tentative", turn: input.partID };
        const verdict = await relay("experimental.text.complete", input.sessionID, turn, turnEndMs);
        pending.set(input.sessionID, verdict);
        await tell(verdict.messages);
      },
      event: async ({ event }) => {
        try {
          const properties = event?.properties ?? {};
          if (event?.type === "permission.asked") shared.unanswered.delete(properties.tool?.callID);
          if (event?.type === "session.error" && properties.sessionID) failed.add(properties.sessionID);
          if (event?.type === "session.idle") await onIdle(properties.sessionID);
          if (event?.type === "message.part.updated" && properties.part?.type === "step-finish") {
            await onStepFinish(properties.part);
          }
        } catch (error) {
          note(agent, `event: ${error}`);
        }
      },
    };
    if (!asks) return hooks;
    return {
      ...hooks,
      config: async (config) => addAskRule(config),
      // The last stop before the shell starts. The host forgets our rule whenever it reads its config again,
      // e.g. after an "always" (ran: Kilo 7.7.7): a command nobody was asked about does not run.
      "shell.env": async (input) => {
        const reason = shared.unanswered.get(input?.callID);
        shared.unanswered.delete(input?.callID);
        if (reason) throw new Error(`${reason}\n${askThePerson}`);
      },
    };
  };
}

// A command that does nothing, first in line: the dialog shows it, and our pattern finds it.
function askLine(reason) {
  const words = reason.replace(/\s+/g, " ").replaceAll("'", "’").replaceAll("`", '"').slice(0, 300);
  return `${askMark}'${words}' :\n`;
}

function addAskRule(config) {
  try {
    const { permission } = config;
    const rules = typeof permission === "string" ? { "*": permission } : { ...permission };
    const bash = typeof rules.bash === "string" ? { "*": rules.bash } : { ...rules.bash };
    // The last rule that matches wins.
    delete bash[`${askMark}*`];
    config.permission = { ...rules, bash: { ...bash, [`${askMark}*`]: "ask" } };
  } catch {
    // Without the rule nothing is asked, and `shell.env` refuses instead.
  }
}
