// Whole-process time of one hook call as a ratio to starting `true` and to `node -e 0`, interleaved in random
// order in one run. Reports ratios; absolute times depend on the machine. `--json`, `--rounds N`.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "../scripts/arguments.mjs";

const { values } = readArguments("npm run bench -- [--json] [--rounds N]", {
  json: { type: "boolean" },
  rounds: { type: "string", default: "60" },
});
const root = join(dirname(fileURLToPath(import.meta.url)), "..");
/** Rounds that fill the caches and do not count. */
const warmUp = 5;
const program = join(root, "dist/holdfast.cjs");
const bench = mkdtempSync(join(tmpdir(), "holdfast-bench-"));
const project = join(bench, "project");
mkdirSync(project);
spawnSync("git", ["init", "-q", project]);
writeFileSync(join(project, "holdfast.yaml"), "version: 1\nprotect:\n  paths: ['.env']\n");

const env = { PATH: process.env.PATH, HOME: join(bench, "home"), LANG: "C.UTF-8" };
mkdirSync(env.HOME);
const payload = (tool, input) =>
  JSON.stringify({
    session_id: "bench",
    cwd: project,
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    tool_use_id: "toolu_1",
  });
const hook = (input, more = {}) => ({
  file: process.execPath,
  args: [program, "hook", "claude-code", "pre-tool"],
  input,
  ...more,
});
const usual = payload("Bash", { command: "cd src && npm run build 2>&1 | tail -20" });
const contenders = {
  true: { file: "true", args: [] },
  "node -e 0": { file: process.execPath, args: ["-e", "0"] },
  "hook: usual command": hook(usual),
  "hook: command looked into": hook(
    payload("Bash", { command: 'git commit -m "fix: a thing" && git push origin feature' }),
  ),
  "hook: refused write": hook(payload("Write", { file_path: join(project, ".env"), content: "A=1" })),
  "hook: 12 KB write": hook(
    payload("Write", { file_path: join(project, "a.ts"), content: "x".repeat(12_000) }),
  ),
  "hook: no code cache": hook(usual, { env: { ...env, HOLDFAST_HOME: "relative-so-no-cache" } }),
  "through the sh guard": {
    file: "/bin/sh",
    args: [
      "-c",
      `command -v node >/dev/null 2>&1 || exit 0; "${process.execPath}" "${program}" hook claude-code pre-tool || exit 0`,
    ],
    input: usual,
  },
  "install, 8 agents": {
    file: process.execPath,
    args: [program, "install", "--yes", "--cwd", freshProject()],
    env: { ...env, PATH: [eightAgents(), env.PATH].join(delimiter), HOME: join(bench, "fresh-home") },
    // Each round starts from a project and a home in which nothing is installed.
    before: freshProject,
  },
};

// As in a real session, whose first call is never a tool's.
const { file, args } = hook("");
const opening = { session_id: "bench", cwd: project, hook_event_name: "SessionStart", source: "startup" };
spawnSync(file, [...args.slice(0, -1), "session-start"], { input: JSON.stringify(opening), env, cwd: bench });

try {
  report(measure(Number(values.rounds)));
} finally {
  rmSync(bench, { recursive: true, force: true });
}

/** A folder for PATH with eight agents: links to this Node, as no agent is started. */
function eightAgents() {
  const bin = join(bench, "bin");
  mkdirSync(bin);
  for (const name of ["claude", "codex", "copilot", "droid", "gemini", "grok", "opencode", "qwen"])
    symlinkSync(process.execPath, join(bin, name));
  return bin;
}

function freshProject() {
  const folder = join(bench, "fresh");
  const home = join(bench, "fresh-home");
  for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
  mkdirSync(home);
  spawnSync("git", ["init", "-q", folder]);
  return folder;
}

function measure(rounds) {
  const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const name of shuffled(Object.keys(contenders))) {
      const { file, args, input = "", env: own = env, before } = contenders[name];
      before?.();
      const start = process.hrtime.bigint();
      const { status, stderr } = spawnSync(file, args, { input, env: own, cwd: bench });
      const ms = Number(process.hrtime.bigint() - start) / 1e6;
      if (status !== 0) throw new Error(`${name}: exit ${status} ${stderr}`);
      if (round >= 0) times[name].push(ms);
    }
  }
  return times;
}

function report(times) {
  const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
  const p90 = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.9)];
  const ratio = (name, base) => median(times[name].map((ms, round) => ms / times[base][round]));
  const rows = Object.keys(times).map((name) => ({
    name,
    medianMs: round2(median(times[name])),
    p90Ms: round2(p90(times[name])),
    toTrue: round2(ratio(name, "true")),
    toNode: round2(ratio(name, "node -e 0")),
  }));
  if (values.json) {
    console.log(
      JSON.stringify(
        { node: process.version, bytes: readFileSync(join(root, "dist/hook.cjs")).length, rows },
        null,
        2,
      ),
    );
    return;
  }
  console.log(
    `Node ${process.version}, ${values.rounds} interleaved rounds; ratios are medians over rounds.\n`,
  );
  console.log("                           median ms    p90 ms   × true   × node -e 0");
  for (const { name, medianMs, p90Ms, toTrue, toNode } of rows) {
    console.log(
      `${name.padEnd(26)}${cell(medianMs, 10)}${cell(p90Ms, 10)}${cell(toTrue, 9)}${cell(toNode, 14)}`,
    );
  }
}

function cell(value, width) {
  return value.toFixed(2).padStart(width);
}

function round2(value) {
  return Math.round(value * 100) / 100;
}

function shuffled(list) {
  return list
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
