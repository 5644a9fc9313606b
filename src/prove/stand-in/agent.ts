import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Dict, dict, text } from "../../core/read.ts";
import { run } from "../process.ts";
import { projectRoot, runHooks, type Surroundings } from "./hooks.ts";

/** A model that never says it is done must not keep the stand-in going for ever. */
const maxTurns = 50;

/**
 * A very small agent: asks the model at `ANTHROPIC_BASE_URL`, runs the two tools it offers, and obeys
 * its hooks before each call and at the end of the turn. Returns the model's last words.
 */
export async function runStandIn(
  prompt: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const where: Surroundings = { cwd, root: projectRoot(cwd), env };
  const session = randomUUID();
  const messages: Dict[] = [{ role: "user", content: prompt }];
  let continued = false;
  for (let turn = 0; turn < maxTurns; turn++) {
    const reply = await askModel(messages, env);
    messages.push({ role: "assistant", content: [reply] });
    if (reply.type === "tool_use") {
      messages.push({ role: "user", content: [await useTool(reply, session, where)] });
      continue;
    }
    const stop = await runHooks("Stop", null, { session_id: session, stop_hook_active: continued }, where);
    if (stop.decision !== "block" && stop.decision !== "deny") return text(reply.text) ?? "";
    continued = true;
    messages.push({ role: "user", content: `Stop hook feedback: ${stop.reason}` });
  }
  return "";
}

const tools = [{ name: "Write" }, { name: "Bash" }];

/** One content block: a text, or a tool call with its whole input. */
async function askModel(messages: readonly Dict[], env: Readonly<Record<string, string>>): Promise<Dict> {
  const response = await fetch(`${env.ANTHROPIC_BASE_URL}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": env.ANTHROPIC_API_KEY ?? "" },
    body: JSON.stringify({ model: "stand-in", max_tokens: 1000, stream: true, tools, messages }),
  });
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  const events = lines.map((line) => dict(JSON.parse(line.slice("data: ".length))));
  const block = dict(events.find((event) => event.type === "content_block_start")?.content_block);
  const deltas = events.filter((event) => event.type === "content_block_delta").map((e) => dict(e.delta));
  const joined = deltas.map((delta) => text(delta.partial_json) ?? text(delta.text) ?? "").join("");
  return block.type === "tool_use" ? { ...block, input: JSON.parse(joined) } : { ...block, text: joined };
}

async function useTool(call: Dict, session: string, where: Surroundings): Promise<Dict> {
  const name = text(call.name) ?? "";
  const input = dict(call.input);
  const payload = { session_id: session, tool_name: name, tool_input: input, tool_use_id: call.id };
  const answer = await runHooks("PreToolUse", name, payload, where);
  // Nobody is there to be asked, and no answer is a no.
  const refused = answer.decision !== "none";
  const content = refused ? answer.reason : await carryOut(name, input, where);
  return { type: "tool_result", tool_use_id: call.id, content, is_error: refused };
}

async function carryOut(name: string, input: Dict, where: Surroundings): Promise<string> {
  if (name === "Bash") {
    const argv = ["/bin/sh", "-c", text(input.command) ?? ""];
    const ran = await run(argv, { cwd: where.cwd, env: where.env, timeoutMs: 60_000 });
    return (ran.stdout + ran.stderr).trim() || "(no output)";
  }
  const file = resolve(where.cwd, text(input.file_path) ?? "");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text(input.content) ?? "");
  return `Wrote ${file}`;
}
