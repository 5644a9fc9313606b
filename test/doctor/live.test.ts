import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listen } from "../../src/doctor/live.ts";
import { type Entry, writeEntry } from "../../src/journal/write.ts";
import { envelopeOf, holdfast, makePlace, type Place } from "../cli/harness.ts";

const program = process.env.HOLDFAST_PROGRAM ?? join(process.cwd(), "dist/holdfast.cjs");
let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const environment = () => ({ PATH: "/usr/bin:/bin", HOME: place.home, TZ: "UTC" });

/** The built program, waiting; resolves once it has said so. */
async function waiting(...argv: string[]) {
  const child: ChildProcess = spawn(process.execPath, [program, "doctor", "--live", ...argv], {
    cwd: place.project,
    env: environment(),
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (part) => {
    stdout += part;
  });
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on("data", (part) => {
      stderr += part;
      if (stderr.includes("Ctrl-C ends the wait.\n")) resolve();
    });
    child.once("close", () => reject(new Error(stdout + stderr)));
  });
  const ended = once(child, "close").then(([code]) => ({ code, stdout, stderr }));
  return { child, ended };
}

/** One real hook process, as Claude Code starts it. */
function fire(session = "s1"): void {
  const input = JSON.stringify({
    session_id: session,
    cwd: place.project,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "ls" },
    tool_use_id: "t1",
  });
  const argv = [program, "hook", "claude-code", "pre-tool"];
  execFileSync(process.execPath, argv, { cwd: place.project, env: environment(), input });
}

async function install(agents: string): Promise<void> {
  await holdfast(place, ["install", "--yes", "--agent", agents]);
}

describe("doctor --live", () => {
  test("hears the first event of a real hook, also when there is no journal yet", async () => {
    await install("claude-code");
    rmSync(join(place.home, ".holdfast"), { recursive: true });
    const { ended } = await waiting("--timeout", "10m");
    expect(existsSync(join(place.home, ".holdfast", "journal.jsonl"))).toBe(false);
    fire();
    const { code, stdout } = await ended;
    expect([code, stdout.replace(/\d\d:\d\d:\d\d/, "HH:MM:SS")]).toEqual([
      0,
      "✓ Claude Code  heard: pre-tool Bash at HH:MM:SS\n",
    ]);
  });

  test("what came before does not count, nor what doctor sends itself; the silent get the next step", async () => {
    await install("claude-code,codex,git");
    fire();
    fire("holdfast-doctor");
    const { code, stdout, stderr } = await holdfast(place, ["doctor", "--live", "--timeout", "1s"]);
    expect(code).toBe(1);
    expect(stdout).toBe(`✕ Claude Code  nothing heard in 1s
   → Takes effect in the next session (now: open /hooks once), in folders you trust, if started
     right here; in sub-folders use --scope user.
   → holdfast prove claude-code   (starts it against a scripted model)
✕ Codex  nothing heard in 1s
   → Codex does not trust this project, so none of its hooks run. Start codex here, trust the
     project, type /hooks and approve the holdfast hooks; until then Codex runs none and says
     nothing.
✕ git pre-commit  nothing heard in 1s
   → Commit something here.
`);
    expect(stderr).toBe(`Waiting up to 1s for the first event of Claude Code, Codex, git pre-commit.
Start each of them in this project and let it run a command; Ctrl-C ends the wait.
`);
  });

  test("--fix beside it is refused, not passed over", async () => {
    const { code, stderr } = await holdfast(place, ["doctor", "--live", "--fix", "--timeout", "1s"]);
    expect([code, stderr.includes("--live only waits and repairs nothing")]).toEqual([64, true]);
  });

  test("as JSON, for one agent", async () => {
    await install("claude-code,codex");
    const argv = ["doctor", "--live", "claude", "--timeout", "1"];
    const { code, json } = await envelopeOf(place, argv);
    expect([code, json.ok, json.data]).toEqual([
      1,
      false,
      { heard: [], silent: ["claude-code"], timeoutMs: 1000 },
    ]);
    expect(json.findings).toEqual([
      expect.objectContaining({ code: "HF507", agent: "claude-code", severity: "warning" }),
    ]);
  });

  test("Ctrl-C ends the wait with what was heard so far", async () => {
    await install("claude-code,git");
    const { child, ended } = await waiting();
    fire();
    await once(child.stdout ?? child, "data");
    child.kill("SIGINT");
    const { code, stdout } = await ended;
    expect([code, stdout.startsWith("✓ Claude Code  heard: pre-tool Bash at ")]).toEqual([130, true]);
  });

  test("an agent that is not guarded cannot be heard", async () => {
    const named = await holdfast(place, ["doctor", "--live", "codex"]);
    expect([named.code, named.stdout, named.stderr]).toEqual([
      1,
      "",
      "✕ HF508  Codex is not guarded here, so nothing can be heard\n         → holdfast install --agent codex\n",
    ]);
    const none = await holdfast(place, ["doctor", "--live"]);
    expect(none.stderr).toContain("no agent is guarded here");
  });

  test.each([
    [["doctor", "codex"], "holdfast doctor --agent codex"],
    [["doctor", "--timeout", "5m"], "holdfast doctor --live"],
    [["doctor", "--live", "codex", "--agent", "git"], "name the agent once"],
  ])("%s is a mistake", async (argv, told) => {
    const { code, stderr } = await holdfast(place, argv);
    expect([code, stderr.includes(told)]).toEqual([64, true]);
  });

  test.each(["soon", "0", "48h"])("--timeout %s is a mistake", async (time) => {
    await install("claude-code");
    const { code, stderr } = await holdfast(place, ["doctor", "--live", "--timeout", time]);
    expect([code, stderr.includes("--timeout wants a time")]).toEqual([64, true]);
  });
});

test("a journal that is rotated while waiting loses no event", async () => {
  const home = mkdtempSync(join(tmpdir(), "holdfast-live-"));
  const agents = ["one", "two"];
  const heard: string[] = [];
  const silent = listen({ holdfastHome: home, agents, since: Date.now(), timeoutMs: 600_000 }, (entry) => {
    heard.push(`${entry.agent} ${entry.session}`);
  });
  writeEntry(home, entryFrom("one"));
  renameSync(join(home, "journal.jsonl"), join(home, "journal.jsonl.1"));
  writeEntry(home, entryFrom("two"));
  expect([await silent, heard]).toEqual([[], ["one s", "two s"]]);
  rmSync(home, { recursive: true });
});

function entryFrom(agent: string): Entry {
  const none = { project: null, tool: null, id: null, call: null, cwd: null, input: null };
  const said = { decision: "allow", decided: "allow", by: [], summary: "", ms: 1 };
  return { ...none, ...said, at: new Date().toISOString(), agent, event: "prompt", session: "s" };
}
