import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place, type RunOptions } from "../cli/harness.ts";

let place: Place;
const inProject = (...names: string[]) => join(place.project, ...names);
const inHome = (...names: string[]) => join(place.home, ...names);
const claude = () => inProject(".claude", "settings.json");
const read = (file: string) => readFileSync(file, "utf8");

beforeEach(async () => {
  place = makePlace();
});
afterEach(() => place.remove());

async function install(...agents: string[]): Promise<void> {
  const { code, stderr } = await holdfast(place, ["install", "--yes", "--agent", agents.join(",")]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
}

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly agent: string | null;
  readonly fixable: boolean;
}

async function doctor(argv: readonly string[] = [], options: RunOptions = {}) {
  const { code, json } = await envelopeOf(place, ["doctor", ...argv], options);
  return {
    code,
    findings: json.findings as Found[],
    data: json.data as { passed: string[]; fixed: string[] },
  };
}

/** Findings without the notes that every fresh install has. */
async function problems(argv: readonly string[] = [], options: RunOptions = {}) {
  const { code, findings } = await doctor(argv, options);
  const told = findings.filter(({ severity }) => severity !== "info");
  return { code, found: told.map(({ code: id, severity, agent, file }) => [id, severity, agent, file]) };
}

describe("entries", () => {
  test("a fresh install is fine: nothing but that no event has come yet", async () => {
    await install("claude-code", "git");
    const { code, findings, data } = await doctor();
    expect(code).toBe(0);
    expect(findings.map(({ code: id, agent }) => [id, agent])).toEqual([
      ["HF501", "claude-code"],
      ["HF501", "git"],
    ]);
    expect(data.passed).toContain(
      "the installed commands start Holdfast and stop a write to a protected file",
    );
  });

  test("HF101 an entry that went missing", async () => {
    await install("claude-code");
    const settings = JSON.parse(read(claude()));
    delete settings.hooks.Stop;
    writeFileSync(claude(), JSON.stringify(settings));
    expect(await problems()).toEqual({ code: 1, found: [["HF101", "error", "claude-code", claude()]] });
  });

  test("HF101 a file of ours replaced by another", async () => {
    await install("opencode");
    const plugin = inProject(".opencode", "plugins", "holdfast.js");
    writeFileSync(plugin, "export default {}\n");
    expect((await problems()).found).toEqual([["HF101", "error", "opencode", plugin]]);
  });

  test("HF102 an entry and a file edited by hand", async () => {
    await install("claude-code", "opencode");
    const plugin = inProject(".opencode", "plugins", "holdfast.js");
    writeFileSync(claude(), read(claude()).replace('"timeout": 30', '"timeout": 31'));
    writeFileSync(plugin, `${read(plugin)}// mine\n`);
    expect(await problems()).toEqual({
      code: 0,
      found: [
        ["HF102", "warning", "claude-code", claude()],
        ["HF102", "warning", "opencode", plugin],
      ],
    });
    expect((await doctor(["--strict"])).code).toBe(1);
  });

  test("HF103 the same entry twice, and the same agent in two scopes", async () => {
    await install("claude-code");
    const settings = JSON.parse(read(claude()));
    settings.hooks.Stop.push(settings.hooks.Stop[0]);
    writeFileSync(claude(), JSON.stringify(settings));
    expect((await problems()).found).toEqual([["HF103", "error", "claude-code", claude()]]);
    await holdfast(place, ["install", "--yes", "--agent", "claude-code", "--scope", "user"]);
    expect((await problems()).found).toContainEqual(["HF103", "warning", "claude-code", null]);
  });

  test("HF104 a file that does not parse, with the place, also before anything is installed", async () => {
    mkdirSync(dirname(claude()));
    writeFileSync(claude(), '{\n  "hooks": {,}\n}\n');
    const { findings } = await doctor();
    expect(findings.filter(({ code }) => code === "HF104")).toMatchObject([
      { file: claude(), line: 2, column: 13 },
    ]);
  });

  test("HF111 a comment that would void the whole file", async () => {
    mkdirSync(dirname(claude()));
    writeFileSync(claude(), '{\n  "url": "http://x", // mine\n  "a": 1,\n}\n');
    const { findings } = await doctor();
    expect(findings.filter(({ code }) => code === "HF111")).toMatchObject([
      { file: claude(), agent: "claude-code", line: 2, column: 22 },
    ]);
  });
});

describe("launcher", () => {
  test("every agent's own form of a refusal is understood", async () => {
    await install("claude-code", "copilot", "droid", "gemini", "grok", "qwen");
    expect(await problems()).toEqual({ code: 0, found: [] });
  });

  test("HF105 gone, and no holdfast on PATH", async () => {
    await install("claude-code");
    rmSync(inHome(".holdfast", "bin", "holdfast"));
    const PATH = dirname(execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim());
    expect((await problems([], { env: { PATH } })).found).toEqual([
      ["HF105", "error", null, inHome(".holdfast", "bin", "holdfast")],
    ]);
    await install("claude-code");
    expect(await problems()).toEqual({ code: 0, found: [] });
  });

  test("HF106 not executable", async () => {
    await install("claude-code");
    chmodSync(inHome(".holdfast", "bin", "holdfast"), 0o644);
    expect((await problems()).found).toEqual([
      ["HF106", "error", null, inHome(".holdfast", "bin", "holdfast")],
    ]);
  });

  test.each([
    ["says nothing", "exit 0"],
    ["crashes", "echo boom >&2; exit 1"],
    ["prints something else", "echo hello"],
    ["allows", `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`],
  ])("HF107 a program that %s", async (_, body) => {
    await install("claude-code");
    writeFileSync(inHome(".holdfast", "bin", "holdfast"), `#!/bin/sh\n${body}\n`);
    expect((await problems()).found).toEqual([["HF107", "error", "claude-code", null]]);
  });

  test("the overview starts nothing and still sees missing entries", async () => {
    await install("claude-code");
    writeFileSync(inHome(".holdfast", "bin", "holdfast"), "#!/bin/sh\nexit 0\n");
    expect((await holdfast(place, [])).code).toBe(0);
    rmSync(claude());
    const { code, stdout } = await holdfast(place, []);
    expect(code).toBe(1);
    expect(stdout).toContain("next      holdfast doctor   (1 problem)");
  });
});

describe("agents", () => {
  test("HF203 a switch in the agent's settings, in a file beside them, and in the environment", async () => {
    await install("claude-code", "codex", "opencode");
    writeFileSync(claude(), read(claude()).replace("{", '{ "disableAllHooks": true,'));
    const toml = inHome(".codex", "config.toml");
    mkdirSync(dirname(toml));
    writeFileSync(toml, "[features]\nhooks = false\n");
    const { found } = await problems([], { env: { OPENCODE_PURE: "1" } });
    expect(found.filter(([id]) => id === "HF203")).toEqual([
      ["HF203", "error", "claude-code", claude()],
      ["HF203", "error", "codex", toml],
      ["HF203", "error", "opencode", null],
    ]);
    writeFileSync(toml, "[features]\nhooks = true\n");
    const off = await problems([], { env: { OPENCODE_PURE: "0" } });
    expect(off.found.filter(([id]) => id === "HF203")).toEqual([["HF203", "error", "claude-code", claude()]]);
  });

  test("HF204 a project that is not trusted, then hooks that are not", async () => {
    await install("codex");
    const toml = inHome(".codex", "config.toml");
    expect((await problems()).found).toEqual([["HF204", "error", "codex", toml]]);
    mkdirSync(dirname(toml));
    writeFileSync(toml, `[projects.${JSON.stringify(place.project)}]\ntrust_level = "trusted"\n`);
    const hooks = inProject(".codex", "hooks.json");
    const { findings } = await doctor();
    expect(
      findings.filter(({ code }) => code === "HF204").map(({ message, file }) => [message, file]),
    ).toEqual([
      ["the PreToolUse hook is not approved yet, so it does not run", hooks],
      ["the Stop hook is not approved yet, so it does not run", hooks],
    ]);
  });

  test("HF201 an agent that is here and not guarded", async () => {
    mkdirSync(inHome(".codex"));
    const { code, findings } = await doctor();
    expect(code).toBe(0);
    expect(findings.find(({ code: id }) => id === "HF201")).toMatchObject({
      severity: "info",
      agent: "codex",
      hint: "holdfast install --agent codex",
    });
  });

  test("HF501 goes once the agent was heard, and not by the sample that doctor sends", async () => {
    await install("claude-code");
    await doctor();
    expect((await doctor()).findings.map(({ code }) => code)).toContain("HF501");
    const payload = `{"session_id":"s","cwd":${JSON.stringify(place.project)},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`;
    execFileSync(inHome(".holdfast", "bin", "holdfast"), ["hook", "claude-code", "pre-tool"], {
      input: payload,
      env: { HOME: place.home, PATH: process.env.PATH },
    });
    const { findings } = await doctor();
    expect(findings.filter(({ code, agent }) => code === "HF501" && agent === "claude-code")).toEqual([]);
    expect((await holdfast(place, [])).stdout).toMatch(/Claude Code +project +heard just now/);
  });
});

describe("git", () => {
  const git = (...argv: string[]) => execFileSync("git", argv, { cwd: place.project });

  test("HF602 commits are not checked, and by whom they are managed", async () => {
    mkdirSync(inProject(".husky"));
    const { findings } = await doctor();
    expect(findings.find(({ code }) => code === "HF602")).toMatchObject({
      severity: "info",
      message: "commits are not checked (husky is here)",
    });
  });

  test("HF601 core.hooksPath moved away after the install", async () => {
    await install("git");
    git("config", "core.hooksPath", inHome("hooks"));
    expect((await problems()).found).toEqual([
      ["HF601", "error", "git", inProject(".git", "hooks", "pre-commit")],
    ]);
  });
});

describe("manifest and state", () => {
  test("HF318 two manifests side by side", async () => {
    writeFileSync(inProject("holdfast.yaml"), "version: 1\n");
    writeFileSync(inProject("holdfast.yml"), "version: 1\n");
    expect((await problems()).found).toEqual([["HF318", "warning", null, inProject("holdfast.yml")]]);
  });

  test("HF310 --fix renames the key and nothing else, and not onto a key that is there", async () => {
    const file = inProject("holdfast.yaml");
    writeFileSync(
      file,
      "# a\nreview: { max_dif_lines: 5 } # b\r\ntests:\n  max_retry: 1\n  max_retries: 2\n",
    );
    const { code, data, findings } = await doctor(["--fix"]);
    expect(code).toBe(0);
    expect(data.fixed).toEqual([`HF310 ${file}: renamed "max_dif_lines" to "max_diff_lines"`]);
    expect(findings.filter(({ code: id }) => id === "HF310").map(({ line }) => line)).toEqual([4]);
    expect(read(file)).toBe(
      "# a\nreview: { max_diff_lines: 5 } # b\r\ntests:\n  max_retry: 1\n  max_retries: 2\n",
    );
  });

  test("HF802 others can read the records; --fix closes them", async () => {
    await install("claude-code");
    const folder = inHome(".holdfast");
    writeFileSync(join(folder, "journal.jsonl"), "", { mode: 0o644 });
    chmodSync(folder, 0o755);
    chmodSync(join(folder, "journal.jsonl"), 0o644);
    const { found } = await problems();
    expect(found).toContainEqual(["HF802", "warning", null, join(folder, "journal.jsonl")]);
    expect((await doctor(["--fix"])).findings.filter(({ code }) => code === "HF802")).toEqual([]);
    expect(statSync(join(folder, "journal.jsonl")).mode & 0o777).toBe(0o600);
  });

  test("what hooks could not do is told once, with how often and when", async () => {
    mkdirSync(inHome(".holdfast"), { mode: 0o700 });
    const line = (at: number, message: string) =>
      `${JSON.stringify({ at, code: "HF605", severity: "error", message, hint: "h", where: {}, cause: "", fixable: false })}\n`;
    const now = Date.now();
    writeFileSync(
      inHome(".holdfast", "problems.jsonl"),
      `${line(now - 9 * 86_400_000, "long ago")}${line(now - 7_200_000, "git did not answer")}${line(now - 3_700_000, "git did not answer")}{torn\n`,
      { mode: 0o600 },
    );
    const { code, findings } = await doctor();
    expect(code).toBe(0);
    expect(
      findings.filter(({ code: id }) => id === "HF605").map(({ severity, message }) => [severity, message]),
    ).toEqual([["warning", "git did not answer (2 times, last 1 h ago)"]]);
  });

  test("HF809 something that is not JSON: the next step leads on, not back to doctor", async () => {
    await install("claude-code");
    const env = { HOME: place.home, PATH: process.env.PATH };
    const launcher = inHome(".holdfast", "bin", "holdfast");
    const cwd = place.project;
    execFileSync(launcher, ["hook", "claude-code", "pre-tool"], {
      input: "not json",
      cwd,
      env,
      stdio: "pipe",
    });
    const { findings } = await doctor();
    const hints = findings.filter(({ code }) => code === "HF809").map(({ hint }) => hint);
    expect(hints).toHaveLength(1);
    expect(hints[0]).toMatch(/^Nothing, if you ran `holdfast hook` by hand\. Else: holdfast prove/);
    expect(hints[0]).not.toContain("doctor");
  });

  test("HF121 a damaged record of what was written", async () => {
    await install("claude-code");
    writeFileSync(inHome(".holdfast", "ledger.json"), "{");
    expect((await problems()).found).toEqual([["HF121", "error", null, inHome(".holdfast", "ledger.json")]]);
    expect(await holdfast(place, ["uninstall", "--yes"])).toMatchObject({ code: 3 });
  });
});
