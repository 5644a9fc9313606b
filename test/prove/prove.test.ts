import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AgentReport, Report } from "../../src/prove/report.ts";
import { changes, snapshot } from "../../src/prove/snapshot.ts";
import { bundle } from "../setup/bundle.ts";
import { alive } from "./alive.ts";

/** The person's real home, as far as these tests go; where stages are built; where the agents are. */
let home = "";
let temp = "";
let programs = "";
beforeAll(() => {
  programs = mkdtempSync(join(tmpdir(), "prove-programs-"));
  home = mkdtempSync(join(tmpdir(), "prove-home-"));
  temp = mkdtempSync(join(tmpdir(), "prove-temp-"));
  for (const folder of [".claude", ".codex", ".config/opencode", ".holdfast"]) {
    mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(join(home, folder, "mine.json"), `{ "of": "${folder}" }\n`);
  }
});
afterAll(() => {
  for (const folder of [home, temp, programs]) rmSync(folder, { recursive: true, force: true });
});

const proofs = [
  "protected-write",
  "protected-shell",
  "risky-command",
  "harmless-write",
  "harmless-command",
  "tests-fail",
  "tests-pass",
  "user-write",
  "user-shell",
  "uninstall",
  "control",
] as const;

// One whole proof takes some seconds, on a busy machine many more.
const slow = 300_000;

describe("holdfast prove, on an agent that obeys its hooks", { timeout: slow }, () => {
  it("holds every proof and leaves the person's home and temp folder as they were", () => {
    const before = snapshot(home);
    const { status, agent } = prove(agentThat("exec"));
    expect(table(agent)).toEqual(proofs.map((id) => [id, "held"]));
    expect(status).toBe(0);
    expect(agent).toMatchObject({
      agent: "claude-code",
      version: "1.2.3",
      status: "held",
      why: "",
      stage: null,
    });
    expect(told(agent, "protected-write")).toMatch(/\.env is protected/);
    expect(told(agent, "tests-fail")).toContain("expected 42 in answer.txt, found 41");
    expect(changes(before, snapshot(home))).toEqual([]);
    expect(readdirSync(temp)).toEqual([]);
  });

  it("also shows a clone whose Holdfast is broken, and the shapes of what hooks are handed", () => {
    const shapes = mkdtempSync(join(programs, "shapes-"));
    const { status, agent } = prove(agentThat("exec"), "--cloned", "--shapes", shapes);
    expect(table(agent).slice(proofs.length)).toEqual([
      ["cloned-missing", "held"],
      ["cloned-no-node", "held"],
      ["cloned-crash", "held"],
    ]);
    expect(status).toBe(0);
    expect(agent?.payloads).toMatchObject({ comparedWith: null, failures: [], notes: [] });
    expect(Object.keys(agent?.payloads?.shapes.events ?? {})).toEqual([
      "PreToolUse Bash",
      "PreToolUse Write",
      "Stop",
    ]);
    expect(readdirSync(temp)).toEqual([]);
  });

  it("prints one line per proof for people, and keeps the stage when asked to", () => {
    const ran = run(["prove", "--bin", `claude-code=${agentThat("exec")}`, "claude-code", "--keep"]);
    expect(ran.stdout).toMatch(/✓ {2}a write to \.env is refused +fired +\.env is not there/);
    expect(ran.stdout).toContain("not shown: The dialog of an ask");
    expect(ran.stdout).toContain("No account, nothing spent");
    const stage = /kept: (.*)/.exec(ran.stdout)?.[1] ?? "";
    expect(existsSync(join(stage, "project", "check.sh"))).toBe(true);
    rmSync(stage, { recursive: true, force: true });
  });
});

describe("holdfast prove, on an agent that is not guarded", { timeout: slow }, () => {
  it("says which proofs do not hold when the hooks decide nothing", () => {
    const { status, agent } = prove(agentThat("HOLDFAST=0 exec"));
    const unguarded = ["tests-pass", "uninstall", "control"];
    const failed = proofs.filter((id) => !unguarded.includes(id));
    expect(status).toBe(1);
    expect(table(agent)).toEqual(
      proofs.map((id) => [id, failed.includes(id) ? "failed" : id === "tests-pass" ? "not-run" : "held"]),
    );
    expect(agent?.proofs[0]).toMatchObject({
      fired: false,
      disk: '.env holds "A=1\\nB=2\\n"',
      why: "the file was written; the model was not told why; the journal shows nothing instead of deny",
    });
  });
});

describe("holdfast prove, when it cannot be run", { timeout: slow }, () => {
  it("says what the agent said", () => {
    const { status, agent } = prove(agentThat("echo 'no licence' >&2; exit 7 #"));
    expect(status).toBe(3);
    expect(agent?.proofs[0]).toEqual({
      id: "protected-write",
      words: "a write to .env is refused",
      status: "not-run",
      fired: null,
      disk: "",
      told: "",
      why: "the agent ended with 7 after 0 requests: no licence",
    });
  });

  it("says what to install when there is no agent", () => {
    const ran = run(["prove"], { PATH: "/nowhere" });
    expect(ran.status).toBe(3);
    expect(ran.stderr).toContain("no agent to prove was found");
    for (const name of ["claude", "codex", "opencode", "holdfast demo"]) expect(ran.stderr).toContain(name);
  });

  it("ends the agent and removes the stage when the person interrupts", async () => {
    const mark = join(programs, "started");
    const agent = agentThat(`echo $$ > ${mark}; exec sleep 300 #`);
    const child = spawn(process.execPath, [bundle(), "prove", "--bin", `claude-code=${agent}`], {
      cwd: home,
      env: surroundings(),
      stdio: "ignore",
    });
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    await until(() => existsSync(mark) && readFileSync(mark, "utf8").endsWith("\n"));
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    await until(() => readdirSync(temp).length === 0);
    await until(() => !alive(Number(readFileSync(mark, "utf8"))));
  });

  it("knows wrong usage from a proof that failed", () => {
    const bin = (path: string) => ["--bin", `claude-code=${path}`];
    const wrong = [
      ["prove", "nobody"],
      ["prove", ...bin(agentThat("exec")), "claude-code", "--timeout", "soon"],
      ["prove", ...bin("/nowhere/claude")],
    ];
    expect(wrong.map((args) => run(args).status)).toEqual([64, 64, 3]);
  });
});

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function surroundings(): Record<string, string> {
  return { HOME: home, TMPDIR: temp, PATH: `${dirname(process.execPath)}:/usr/bin:/bin` };
}

function run(args: readonly string[], env: Record<string, string> = {}): Ran {
  return spawnSync(process.execPath, [bundle(), ...args], {
    cwd: home,
    env: { ...surroundings(), ...env },
    encoding: "utf8",
  });
}

/** Waits for something that must come; the test's own time limit is the only clock. */
async function until(came: () => boolean): Promise<void> {
  while (!came()) await new Promise((resolve) => setTimeout(resolve, 50));
}

function prove(program: string, ...more: readonly string[]): Ran & { agent: AgentReport | undefined } {
  const ran = run(["prove", "claude-code", "--bin", `claude-code=${program}`, "--json", ...more]);
  const { data } = JSON.parse(ran.stdout) as { data: Report };
  return { ...ran, agent: data.agents[0] };
}

/** A program that is started like the real agent and becomes the stand-in, by way of `how`. */
function agentThat(how: string): string {
  const file = join(mkdtempSync(join(programs, "agent-")), "agent");
  const version = '[ "$1" = --version ] && { echo 1.2.3; exit; }';
  const program = `'${process.execPath}' '${bundle()}' demo --stand-in "$2"`;
  writeFileSync(file, `#!/bin/sh\n${version}\n${how} ${program}\n`, { mode: 0o755 });
  return file;
}

function table(agent: AgentReport | undefined): [string, string][] {
  return (agent?.proofs ?? []).map(({ id, status }) => [id, status]);
}

function told(agent: AgentReport | undefined, id: string): string {
  return agent?.proofs.find((proof) => proof.id === id)?.told ?? "";
}
