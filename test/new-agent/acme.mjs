#!/usr/bin/env node
// Acme, the invented agent of docs/add-an-agent.md: a small command-line agent that asks a model at ACME_MODEL_URL,
// has three tools, and obeys its hooks as that page says they work. It knows nothing of Holdfast.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { dirname, join, resolve } from "node:path";

const carryOut = {
  terminal({ line, in: folder = "." }) {
    const ran = spawnSync("/bin/sh", ["-c", line], {
      cwd: resolve(folder),
      env: { ...process.env, ACME_CHAT: "c-1" },
      encoding: "utf8",
    });
    return (ran.stdout + ran.stderr).trim() || "(nothing was printed)";
  },
  put_file({ to, text }) {
    mkdirSync(dirname(resolve(to)), { recursive: true });
    writeFileSync(to, text);
    return "written";
  },
  change_file({ at, old, new: text }) {
    writeFileSync(at, readFileSync(at, "utf8").replace(old, text));
    return "changed";
  },
};

const [command, ...rest] = process.argv.slice(2);
if (command === "--version") console.log("acme 3.2.0");
else if (command === "run") console.log(await chat(rest.at(-1)));
else process.exitCode = 1;

async function chat(prompt) {
  const stopped = runHooks("person_said", null, { said: prompt });
  if (stopped !== null) return stopped;
  const messages = [{ role: "user", content: prompt }];
  let again = false;
  for (let turn = 0; turn < 30; turn++) {
    const reply = await askModel(messages);
    messages.push(reply);
    const [call] = reply.tool_calls ?? [];
    if (call !== undefined) {
      messages.push({ role: "tool", tool_call_id: call.id, content: useTool(call) });
      continue;
    }
    const words = runHooks("turn_done", null, { again });
    if (words === null) return reply.content;
    again = true;
    messages.push({ role: "user", content: words });
  }
  return "";
}

async function askModel(messages) {
  const tools = Object.keys(carryOut).map((name) => ({ type: "function", function: { name } }));
  const answer = await post(JSON.stringify({ model: "acme-1", stream: true, tools, messages }));
  const lines = answer.split("\n").filter((line) => /^data: \{/.test(line));
  const deltas = lines.map((line) => JSON.parse(line.slice("data: ".length)).choices[0].delta);
  const content = deltas.map((delta) => delta.content ?? "").join("");
  const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
  return { role: "assistant", content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

/** Over a connection of its own each time: one that is kept may be closed by the other side while a hook runs. */
function post(body) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const options = { method: "POST", agent: false, headers };
    const sent = request(`${process.env.ACME_MODEL_URL}/chat/completions`, options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve(text));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function useTool(call) {
  const tool = call.function.name;
  const input = JSON.parse(call.function.arguments);
  const step = { id: call.id, tool, with: input };
  const refused = runHooks("tool_about_to_run", tool, { step });
  if (refused !== null) return refused;
  const said = carryOut[tool](input);
  runHooks("tool_ran", tool, { step });
  return said;
}

/** The words of the hook that said stop; null when none did. Only exit code 2 is a stop. */
function runHooks(event, tool, more) {
  const payload = { when: event, chat: "c-1", folder: process.cwd(), ...more };
  for (const hook of hooksFor(event, tool)) {
    const ran = spawnSync("/bin/sh", ["-c", hook.run], {
      input: JSON.stringify(payload),
      encoding: "utf8",
      timeout: hook.limit_ms,
    });
    if (ran.status === 2) return ran.stderr.trim();
  }
  return null;
}

function hooksFor(event, tool) {
  const homes = [process.env.ACME_HOME ?? join(process.env.HOME, ".acme"), join(projectRoot(), ".acme")];
  return homes
    .map((folder) => join(folder, "hooks.json"))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")))
    .filter(({ schema }) => schema === 2)
    .flatMap(({ when }) => when?.[event] ?? [])
    .filter(({ only }) => tool === null || only === undefined || new RegExp(only).test(tool));
}

function projectRoot() {
  for (let folder = process.cwd(); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
  }
  return process.cwd();
}
