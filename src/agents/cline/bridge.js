// Holdfast inside Cline's CLI, for MCP tools only: a script cannot refuse one of them alone. The other tools are
// the script's, which has 120 s where this has 3 (ran: 3.0.65, 2026-11-30).
import { rmSync } from "node:fs";
import { ask, home, note, sign } from "../_family/relay.js";

// Cline ends the whole run when a hook takes 3 s, the way there and back included (ran: 3.0.65, 2026-11-30).
const hookMs = 2_000;

let session;

export default {
  name: "holdfast",
  manifest: { capabilities: ["hooks"] },
  setup(_api, context) {
    session = context?.session?.sessionId ?? session;
  },
  hooks: {
    // From here on the script knows that this plugin really hears of every tool.
    beforeRun() {
      sign("cline");
      if (isName(session)) sign(`cline.${session}`);
    },
    afterRun() {
      if (isName(session)) forget(`cline.${session}`);
    },
    async beforeTool(context) {
      try {
        return await judge(context);
      } catch (error) {
        note("cline", `beforeTool: ${error}`);
      }
    },
  },
};

async function judge({ toolCall, input, snapshot }) {
  const name = toolCall?.toolName ?? "";
  if (!name.includes("__")) return;
  const payload = {
    hookName: "beforeTool",
    sessionContext: { rootSessionId: session },
    workspaceRoots: [process.cwd()],
    agent_id: snapshot?.agentId,
    parent_agent_id: snapshot?.parentAgentId ?? null,
    tool_call: { id: toolCall.toolCallId, name, input },
  };
  const verdict = await ask("cline", "pre-tool", JSON.stringify(payload), hookMs, process.cwd());
  const appendContext = verdict.context.join("\n\n");
  if (verdict.decision === "deny" || verdict.decision === "ask")
    return { skip: true, reason: verdict.reason };
  if (verdict.rewrite) return { input: verdict.rewrite, ...(appendContext ? { appendContext } : {}) };
  if (appendContext) return { appendContext };
}

function isName(id) {
  return typeof id === "string" && /^[\w-]+$/.test(id);
}

function forget(name) {
  try {
    rmSync(`${home()}/alive/${name}`, { force: true });
  } catch (error) {
    note("cline", `afterRun: ${error}`);
  }
}
