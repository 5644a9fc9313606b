import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { holdfast, makePlace, type Place } from "../cli/harness.ts";
import { toldBy } from "./told.ts";

let place: Place;
let other: string;
const inHome = (...names: string[]) => join(place.home, ".holdfast", ...names);
const launcher = () => inHome("bin", "holdfast");

beforeEach(async () => {
  place = makePlace();
  other = join(place.home, "other");
  execFileSync("git", ["init", "--quiet", other]);
  await holdfast(place, ["install", "--yes", "--agent", "claude-code"]);
});
afterEach(() => place.remove());

/** What doctor says about the codes; its own exit code with `--strict`. */
function told(codes: readonly string[], ...argv: string[]) {
  return toldBy(place, ["--strict", ...argv], (code) => codes.includes(code));
}

/** What an agent does in a project; the answer with what it says on stderr. */
function hook(cwd: string, event = "pre-tool") {
  const native = event === "pre-tool" ? "PreToolUse" : "Stop";
  const call = { tool_name: "Bash", tool_input: { command: "ls" } };
  const input = JSON.stringify({ session_id: "s", cwd, hook_event_name: native, ...call });
  const env = { HOME: place.home, PATH: process.env.PATH };
  const { status, stdout, stderr } = spawnSync(launcher(), ["hook", "claude-code", event], {
    cwd,
    input,
    env,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

function record(found: object): void {
  const whole = { severity: "error", hint: "h", where: {}, cause: "", fixable: false, ...found };
  appendFileSync(inHome("problems.jsonl"), `${JSON.stringify(whole)}\n`, { mode: 0o600 });
}

describe("calls that Holdfast could not be started for", () => {
  /** Lets the launcher start a program that crashes as a broken Node does. */
  function broken(): () => void {
    const crashing = join(place.home, "crashing");
    writeFileSync(crashing, "#!/bin/sh\nexit 139\n", { mode: 0o755 });
    const script = readFileSync(launcher(), "utf8");
    writeFileSync(launcher(), script.replace(/^node=.*$/m, `node='${crashing}'`));
    return () => writeFileSync(launcher(), script);
  }

  test("are warned of at once, and told with time, cause and what was not checked, until it works again", async () => {
    const mend = broken();
    const { status, stdout, stderr } = hook(place.project);
    expect([status, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(
      /^holdfast: .*crashing ended with 139 \(hook claude-code pre-tool\); nothing was checked/,
    );
    hook(place.project);
    const now = await told(["HF812", "HF107"]);
    expect(now.findings).toMatchObject([
      { code: "HF107", message: expect.stringContaining("ended with 139") },
      { code: "HF812", severity: "warning", hint: "holdfast install, then holdfast doctor" },
    ]);
    expect(now.findings[1]?.message).toMatch(
      /^2 calls \(claude-code pre-tool\) were not checked, \d{4}-\d\d-\d\d \d\d:\d\d UTC.*: .*crashing ended with 139$/,
    );
    mend();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const after = await told(["HF812", "HF107"]);
    expect(after).toMatchObject({ code: 0, findings: [{ code: "HF812", severity: "info" }] });
    expect(after.findings[0]?.hint).toMatch(
      /^Over: Holdfast has answered since \d{4}-.* UTC \(just now\)\. /,
    );
  });

  test("in another project are told there, and here only on request", async () => {
    broken();
    hook(other);
    expect((await told(["HF812"])).findings).toEqual([]);
    expect((await told(["HF812"], "--verbose")).findings).toMatchObject([
      { severity: "info", message: expect.stringContaining(`1 call (claude-code pre-tool) in ${other} was`) },
    ]);
  });

  test("and what a bridge noted is over with the next event of its agent", async () => {
    const at = new Date(Date.now() - 60_000).toISOString();
    const note = { at, agent: "claude-code", text: "pre-tool: no answer in 10000 ms", cwd: place.project };
    appendFileSync(inHome("breadcrumbs.log"), `${JSON.stringify(note)}\n{torn\nnonsense\n`);
    expect((await told(["HF812"])).findings).toMatchObject([
      { message: expect.stringContaining("no answer in 10000 ms"), hint: expect.stringMatching(/^Over: /) },
    ]);
    const foreign = { ...note, agent: "pi" };
    writeFileSync(inHome("breadcrumbs.log"), `${JSON.stringify(foreign)}\n`);
    expect((await told(["HF812"])).findings).toMatchObject([
      { severity: "warning", hint: "holdfast prove pi" },
    ]);
  });

  test("a program whose bundle is gone leaves the same record", () => {
    const lone = join(place.home, "lone.cjs");
    writeFileSync(lone, readFileSync("bin/holdfast.cjs"));
    const env = { HOME: place.home, PATH: process.env.PATH };
    const ran = spawnSync(process.execPath, [lone, "hook", "codex", "turn-end"], { env, encoding: "utf8" });
    expect([ran.status, ran.stdout]).toEqual([0, ""]);
    expect(ran.stderr).toContain("could not start, nothing was checked");
    const left = JSON.parse(readFileSync(inHome("breadcrumbs.log"), "utf8"));
    expect(left).toMatchObject({
      agent: "codex",
      event: "turn-end",
      text: expect.stringContaining("hook.cjs"),
    });
    expect(existsSync(inHome("problems.jsonl"))).toBe(false);
  });
});

describe("faults on record", () => {
  test("of another project are no warnings of this one", async () => {
    writeFileSync(join(other, "holdfast.yaml"), "protect: [\n");
    hook(other);
    expect((await told(["HF301"])).findings).toEqual([]);
    expect(await told(["HF301"], "--verbose")).toMatchObject({
      code: 0,
      findings: [{ severity: "info", message: expect.stringContaining(` in ${other} (just now)`) }],
    });
    writeFileSync(join(other, "holdfast.yaml"), "protect: {}\n");
    hook(other);
    const over = { hint: expect.stringMatching(/^Over: /) };
    expect((await told(["HF301"], "--verbose")).findings).toMatchObject([over]);
  });

  test("of this project are over once a later event went without them", async () => {
    const at = Date.now() - 60_000;
    record({ at, project: place.project, event: "turn-end", code: "HF605", message: "git did not answer" });
    record({ at, project: place.project, event: "pre-tool", code: "HF807", message: "state" });
    record({ at, project: place.project, event: "pre-tool", code: "HF806", message: "a hook failed" });
    const codes = ["HF605", "HF806", "HF807"];
    const before = await told(codes);
    expect(before.findings.map(({ severity }) => severity)).toEqual(["warning", "warning", "warning"]);
    expect(before.code).toBe(1);
    hook(place.project);
    const after = await told(codes);
    expect(after.findings.map(({ code, severity }) => [code, severity])).toEqual([
      ["HF605", "warning"],
      ["HF806", "info"],
    ]);
    hook(place.project, "turn-end");
    const last = await told(codes);
    expect(last.findings.map(({ code }) => code)).toEqual(["HF806"]);
    expect(last.code).toBe(0);
    expect((await told(codes, "--verbose")).findings).toHaveLength(3);
  });

  test("an event that began before is no proof, nor is the sample that doctor sends", async () => {
    record({
      at: Date.now() + 5_000,
      project: place.project,
      event: "pre-tool",
      code: "HF807",
      message: "state",
    });
    hook(place.project);
    expect((await told(["HF807"])).findings).toMatchObject([{ severity: "warning" }]);
    mkdirSync(inHome(), { recursive: true });
    record({
      at: Date.now() - 1_000,
      project: null,
      event: "pre-tool",
      code: "HF806",
      message: "a hook failed",
    });
    writeFileSync(inHome("journal.jsonl"), "");
    expect((await told(["HF806"])).findings).toMatchObject([{ severity: "warning" }]);
  });
});
