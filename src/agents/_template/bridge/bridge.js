// Holdfast inside Newcomer: the host's events are relayed to Holdfast's program, its answers put into the host's
// own terms. Whatever goes wrong in here lets the call through and leaves a note. The host's API is a guess.
import { ask, note, preToolMs, sign, turnEndMs } from "../../_family/relay.js";

export default function holdfast(host) {
  sign("newcomer");
  on(host, "tool.before", onTool);
  on(host, "turn.end", onTurnEnd);
}

function on(host, name, handler) {
  try {
    host.on(name, async (event) => {
      try {
        return await handler(event, host);
      } catch (error) {
        note("newcomer", `${name}: ${error}`);
      }
    });
  } catch (error) {
    note("newcomer", `${name}: ${error}`);
  }
}

async function onTool({ session, id, tool, input }, { directory }) {
  const payload = { event: "tool.before", session, directory, id, tool, input };
  const verdict = await ask("newcomer", "pre-tool", JSON.stringify(payload), preToolMs, directory);
  if (verdict.decision === "deny") return { block: true, reason: verdict.reason };
}

async function onTurnEnd({ session, continued }, { directory }) {
  const payload = { event: "turn.end", session, directory, continued };
  const verdict = await ask("newcomer", "turn-end", JSON.stringify(payload), turnEndMs, directory);
  if (verdict.decision === "continue") return { prompt: verdict.reason };
}
