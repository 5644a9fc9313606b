import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agentIds } from "../../src/agents/ids.ts";
import { envelopeOf, holdfast, makePlace, type Place } from "./harness.ts";

let place: Place;
beforeAll(() => {
  place = makePlace();
  writeFileSync(join(place.project, "holdfast.yaml"), "protect:\n  paths:\n    - .env\n    - db/**\n");
  writeFileSync(join(place.project, "notes"), "");
  symlinkSync(join(place.project, "db"), join(place.project, "link"));
});
afterAll(() => place.remove());

const data = async (argv: readonly string[], stdin = "") =>
  (await envelopeOf(place, argv, { stdin })).json.data as Record<string, unknown>;

describe("explain", () => {
  test("a path: the pattern, its line, what each agent does, and what is not seen", async () => {
    const agents = ["--agent", "claude-code,codex,git"];
    const { code, stdout, stderr } = await holdfast(place, ["explain", "db/seed.sql", ...agents]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const shown = stdout.split("\n").filter((line) => !line.startsWith("told"));
    expect(shown).toEqual([
      "read as   a path an agent wants to write",
      'hit       db/seed.sql is protected by "db/**", holdfast.yaml:4',
      "verdict   deny  by protect",
      "not seen  a program that writes it without being told to on its command line",
      "per agent block: claude-code, codex",
      "          commit of it refused: git",
      "change    to allow it, add the file to protect.except in holdfast.yaml",
      "",
    ]);
  });

  test("a command: each step with its effects, then the rules", async () => {
    const found = await data(["explain", "cd src && tee ../.env < x; git push --force"]);
    expect(found).toMatchObject({
      kind: "command",
      steps: expect.arrayContaining([
        { text: "tee ../.env", effects: [expect.stringContaining("writes")] },
        { text: "git push --force", effects: expect.any(Array) },
      ]),
      hits: [
        {
          pattern: ".env",
          from: { file: join(place.project, "holdfast.yaml"), line: 3 },
          via: expect.stringContaining("tee"),
        },
      ],
      risks: [{ rule: "git/force-push", at: "git push --force" }],
      verdict: { decision: "deny", by: ["protect"] },
    });
  });

  test("a risky command: ask, told per agent what becomes of it", async () => {
    const found = await data(["explain", "git push --force origin main"]);
    expect(found).toMatchObject({
      verdict: { decision: "ask" },
      agents: expect.arrayContaining([
        { agent: "claude-code", does: "ask you" },
        { agent: "codex", does: "block, tell it to ask you" },
        { agent: "git", does: "not asked" },
      ]),
    });
  });

  test("what could not be seen is said every time, and the more the less was seen", async () => {
    const plain = await data(["explain", "ls"]);
    const unknown = await data(["explain", "$TOOL x"]);
    expect(plain.notSeen).toHaveLength(1);
    expect((unknown.notSeen as string[]).length).toBeGreaterThan(1);
  });

  test.each([
    ["notes", "path"],
    ["make", "command"],
    ["./run.sh", "path"],
    [".env", "path"],
    ["rm -rf build", "command"],
    ["a>b", "command"],
  ])("%s is read as a %s, unless --as says otherwise", async (argument, kind) => {
    expect((await data(["explain", argument])).kind).toBe(kind);
    const other = kind === "path" ? "command" : "path";
    expect((await data(["explain", argument, "--as", other])).kind).toBe(other);
  });

  test("a path through a link says where it leads", async () => {
    expect((await holdfast(place, ["explain", "link/x"])).stdout).toContain("leads to db/x");
  });

  test("from stdin, and from a file", async () => {
    const whole = "cat <<'E' > .env\nA=1\nE\n";
    expect((await data(["explain", "--file", "-"], whole)).verdict).toMatchObject({ decision: "deny" });
    writeFileSync(join(place.project, "cmd.sh"), whole);
    expect((await data(["explain", "--file", "cmd.sh"])).verdict).toMatchObject({ decision: "deny" });
    expect((await holdfast(place, ["explain", "--file", "none.sh"])).code).toBe(3);
  });

  test("many at once: one answer per line, with the default policy, for an imagined machine", async () => {
    const stdin =
      '{"id":"a","cmd":"ls"}\n{"id":"b","cmd":"echo x > .env"}\n\n{"id":"c","cmd":"rm -rf /home/dev"}\nnonsense\n';
    const { code, stdout } = await holdfast(place, ["explain", "--batch"], { stdin });
    expect(code).toBe(0);
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; verdict: string });
    expect(answers.map(({ id, verdict }) => [id, verdict])).toEqual([
      ["a", "allow"],
      ["b", "deny"],
      ["c", "ask"],
      ["", "ask"],
    ]);
  });

  test("the help page tells the format of a batch, and its example is answered as it says", async () => {
    const { stdout: page } = await holdfast(place, ["help", "explain"]);
    const [, input = ""] = /^ {2}in +(\{.*?\}) /m.exec(page) ?? [];
    const [, output = ""] = /^ {2}out +(\{.*?\}) /m.exec(page) ?? [];
    expect(page).toMatch(/--root is .*, --home is .* and --tmp is /);
    const { stdout } = await holdfast(place, ["explain", "--batch"], { stdin: `${input}\n` });
    const us = expect.any(Number) as number;
    expect(JSON.parse(stdout)).toEqual({ ...(JSON.parse(output) as object), us });
  });
});

describe("simulate", () => {
  test.each([
    [["pre-tool", "--tool", "write", "--path", ".env"], "deny"],
    [["PreToolUse", "--path", "db/x"], "deny"],
    [["pre-tool", "--tool", "read", "--path", ".env"], "allow"],
    [["pre-tool", "--command", "echo x > .env"], "deny"],
    [["pre-tool", "--command", "git push -f"], "ask"],
    [["pre-tool", "--command", "git push -f", "--agent", "codex"], "deny"],
    [
      ["pre-tool", "--tool", "patch", "--content", "*** Begin Patch\n*** Delete File: .env\n*** End Patch\n"],
      "deny",
    ],
    [["pre-commit", "--path", ".env", "--path", "a.ts"], "deny"],
    [["pre-commit", "--path", "a.ts"], "allow"],
    [["prompt", "--prompt", "hello"], "allow"],
    [["session-start"], "allow"],
  ])("%j expects %s", async (argv, expected) => {
    expect((await holdfast(place, ["simulate", ...argv, "--expect", expected])).code).toBe(0);
    const other = expected === "allow" ? "deny" : "allow";
    const { code, stderr } = await holdfast(place, ["simulate", ...argv, "--expect", other]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: `✕ HF005  expected ${other}, got ${expected}\n` });
  });

  test("each agent's own answer, byte for byte", async () => {
    const found = await data(["simulate", "pre-tool", "--path", ".env", "--all-agents"]);
    const agents = found.agents as { agent: string; does: string; reply: { stdout: string } }[];
    expect(Object.fromEntries(agents.map(({ agent, does }) => [agent, does]))).toEqual(
      Object.fromEntries(agentIds.map((id) => [id, id === "git" ? "has no such event" : "block"])),
    );
    const claude = agents.find(({ agent }) => agent === "claude-code");
    expect(JSON.parse(claude?.reply.stdout ?? "")).toMatchObject({
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny" },
    });
  });

  test("the tests are named, never run", async () => {
    writeFileSync(join(place.project, "Makefile"), "test:\n\ttouch ran\n");
    const found = await data(["simulate", "turn-end", "--failing"]);
    expect(found).toMatchObject({
      verdict: { decision: "continue", by: ["tests"] },
      wouldRun: ["make test"],
    });
  });

  test("a payload as the agent sends it", async () => {
    const payload = JSON.stringify({
      session_id: "s",
      cwd: place.project,
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: "db/x", content: "" },
    });
    const { code, json } = await envelopeOf(place, ["simulate", "--event", "-", "--agent", "claude-code"], {
      stdin: payload,
    });
    expect(code).toBe(0);
    expect(json.data).toMatchObject({
      event: { name: "pre-tool", agent: "claude-code" },
      verdict: { decision: "deny" },
    });
    expect((await holdfast(place, ["simulate", "--event", "-"], { stdin: "{" })).code).toBe(3);
    expect((await holdfast(place, ["simulate", "--event", "-"], { stdin: "{}" })).stderr).toContain(
      "no agent sends a payload like this",
    );
  });
});
