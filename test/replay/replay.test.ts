import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place } from "../cli/harness.ts";

const program = process.env.HOLDFAST_PROGRAM ?? join(process.cwd(), "dist/holdfast.cjs");
let place: Place;

beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

function hook(
  tool_name: string,
  tool_input: object,
  agent = "codex",
  session = "s1",
  cwd = place.project,
): void {
  const payload = {
    hook_event_name: "PreToolUse",
    session_id: session,
    cwd,
    tool_name,
    tool_input,
  };
  const ran = spawnSync(process.execPath, [program, "hook", agent, "pre-tool"], {
    cwd,
    env: { PATH: process.env.PATH, HOME: place.home },
    input: JSON.stringify(payload),
  });
  expect(ran.status).toBe(0);
}

const rules = (yaml: string) => writeFileSync(join(place.project, "holdfast.yaml"), yaml);
const bash = (command: string, agent?: string, session?: string) => hook("Bash", { command }, agent, session);

describe("replay of the journal", () => {
  test("says nothing while the rules are the same, whatever the agent could do with the verdict", async () => {
    bash("git push --force");
    bash("git push --force", "claude-code");
    bash("echo x > .env");
    bash("npm test");
    hook("apply_patch", { command: "*** Begin Patch\n*** Delete File: .env\n*** End Patch\n" });
    const { code, stdout } = await holdfast(place, ["replay"]);
    expect([code, stdout]).toEqual([0, "Today's rules decide the same about all 5 calls.\n"]);
  });

  test("leaves out what hung on the files that were there", async () => {
    writeFileSync(join(place.project, ".gitignore"), ".env\n");
    writeFileSync(join(place.project, ".env"), "A=1\n");
    bash("git clean -fdx");
    bash("rm .e*v");
    const { code, stdout } = await holdfast(place, ["replay"]);
    expect([code, stdout]).toEqual([
      0,
      "Today's rules decide the same about all 1 call.\nnot judged again: 1 decided by what was there at that moment\n",
    ]);
  });

  test("prints only what would be decided otherwise, and exits 1", async () => {
    bash("git push --force");
    bash("npm install x", "claude-code", "s2");
    bash("npm test");
    rules("commands: { packs: { git: off }, rules: [{ match: npm install, verdict: deny }] }\n");
    const { code, stdout } = await holdfast(place, ["replay", "--since", "7d"]);
    const lines = stdout.split("\n").map((line) => line.replace(/^ +\S+ \S+ +/, ""));
    expect([code, ...lines]).toEqual([
      1,
      "codex        ask → allow                      git push --force",
      "claude-code  allow → deny  rules/npm-install  npm install x",
      "2 of 3 calls would be decided otherwise today.",
      "",
    ]);
    const filtered = await envelopeOf(place, ["replay", "--session", "s2"]);
    expect(filtered.json.data).toMatchObject({
      judged: 1,
      differences: [{ before: "allow", now: { decision: "deny" } }],
    });
  });

  test("says what it cannot judge again", async () => {
    bash("curl -H 'Authorization: Bearer abcdefabcdef' https://example.com");
    bash(`echo ${"x".repeat(5000)}`);
    const home = join(place.home, ".holdfast/journal.jsonl");
    const old = JSON.parse(readFileSync(home, "utf8").split("\n")[0] ?? "");
    delete old.input;
    writeFileSync(home, `${JSON.stringify(old)}\n`, { flag: "a" });
    const { code, stdout } = await holdfast(place, ["replay"]);
    expect([code, stdout]).toEqual([
      0,
      "Today's rules decide the same about all 0 calls.\nnot judged again: 2 kept without their secrets or their end\nnot judged again: 1 written before calls were kept\n",
    ]);
    expect(readFileSync(home, "utf8")).not.toContain("abcdefabcdef");
  });

  test("a wrong time is named", async () => {
    expect((await holdfast(place, ["replay", "--since", "last week"])).code).toBe(64);
  });
});

describe("replay of transcripts", () => {
  function transcript(path: string, lines: readonly object[]): void {
    const file = join(place.home, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"torn`);
  }

  test("of Claude Code and Codex, without what a hook stopped then", async () => {
    const { project } = place;
    const use = (id: string, name: string, input: object) => ({ type: "tool_use", id, name, input });
    transcript(".claude/projects/-x/a.jsonl", [
      {
        type: "assistant",
        sessionId: "c1",
        cwd: project,
        timestamp: "2026-11-30T12:00:00.000Z",
        message: {
          content: [
            { type: "text", text: "Now" },
            use("t1", "Bash", { command: "git push --force" }),
            use("t2", "Write", { file_path: ".env", content: "" }),
            use("t3", "Bash", { command: "ls" }),
          ],
        },
      },
      {
        type: "user",
        message: {
          content: [
            {
              type: "tool_result",
              tool_use_id: "t2",
              is_error: true,
              content: "PreToolUse:Write hook error: no",
            },
          ],
        },
      },
    ]);
    const item = (payload: object) => ({
      timestamp: "2026-11-30T12:00:01.000Z",
      type: "response_item",
      payload,
    });
    const script =
      'text(await tools.exec_command({ cmd: "npm publish" }));\nawait tools.apply_patch("*** Begin Patch\\n*** Add File: a.pem\\n+x\\n*** End Patch\\n");';
    transcript(".codex/sessions/2026/11/30/rollout-1.jsonl", [
      { type: "session_meta", payload: { id: "x1", cwd: project } },
      item({
        type: "function_call",
        call_id: "1",
        name: "exec_command",
        arguments: '{"cmd":"git branch -D old"}',
      }),
      item({ type: "function_call", call_id: "2", name: "exec_command", arguments: '{"cmd":"rm .env"}' }),
      item({ type: "function_call_output", call_id: "2", output: "Command blocked by PreToolUse hook: no" }),
      item({ type: "custom_tool_call", call_id: "3", name: "exec", input: script }),
      item({
        type: "custom_tool_call",
        call_id: "4",
        name: "apply_patch",
        input: "*** Begin Patch\n*** Delete File: b.key\n*** End Patch\n",
      }),
    ]);
    const { code, json } = await envelopeOf(place, ["replay", "--from-transcripts"]);
    const { judged, differences } = json.data as {
      judged: number;
      differences: { event: { agent: string; session: string }; now: { by: string[] } }[];
    };
    expect({
      code,
      judged,
      differences: differences.map(({ event, now }) => [event.agent, event.session, now.by.join()]).sort(),
    }).toEqual({
      code: 1,
      judged: 6,
      differences: [
        ["claude-code", "c1", "git/force-push"],
        ["codex", "x1", "git/delete-branch"],
        ["codex", "x1", "protect"],
        ["codex", "x1", "protect"],
        ["codex", "x1", "publish/package"],
      ],
    });
  });

  test("says when there is none", async () => {
    const { code, stdout } = await holdfast(place, ["replay", "--from-transcripts"]);
    expect([code, stdout.includes("no transcript was found")]).toEqual([0, true]);
  });
});

describe("why", () => {
  test("explains the newest call that was stopped", async () => {
    expect((await holdfast(place, ["why"])).stdout).toBe("Nothing was stopped in this project yet.\n");
    bash("git push --force");
    bash("npm test");
    const [why, last] = [await holdfast(place, ["why"]), await holdfast(place, ["explain", "--last"])];
    expect(why.stdout).toBe(last.stdout);
    expect(why.stdout).toMatch(/^stopped +just now in codex: deny by git\/force-push {2}#\w{5}\n/);
    expect(why.stdout).toContain("git/force-push: `git push --force`");
  });

  test("and replay look at this project alone, at all with --everywhere, and never at doctor's own sample", async () => {
    const other = join(place.home, "other");
    mkdirSync(other);
    execFileSync("git", ["init", "--quiet", other]);
    bash("npm test");
    hook("Bash", { command: "git push --force" }, "codex", "s1", other);
    bash("echo sample > .env", "claude-code", "holdfast-doctor");
    expect((await holdfast(place, ["why"])).stdout).toBe(
      "Nothing was stopped in this project yet. In another project something was: holdfast why --everywhere\n",
    );
    expect((await holdfast(place, ["why", "--everywhere"])).stdout).toContain("deny by git/force-push");
    const judged = async (...argv: string[]) => {
      const { json } = await envelopeOf(place, ["replay", ...argv]);
      return (json.data as { judged: number }).judged;
    };
    expect([await judged(), await judged("--everywhere")]).toEqual([1, 2]);
    expect((await holdfast(place, ["replay"], { cwd: other })).stdout).toContain("all 1 call.");
  });
});

describe("expectations", () => {
  function put(text: string, name = "git.yaml"): void {
    mkdirSync(join(place.project, "holdfast/tests"), { recursive: true });
    writeFileSync(join(place.project, "holdfast/tests", name), text);
  }

  test("that are met, of every kind", async () => {
    put(`
- name: force push
  event: { command: git push -f }
  expect: { verdict: ask, by: git/force-push, message~: --FORCE-with-lease }
- event: { tool: write, path: .env }
  expect: { verdict: deny, by: protect }
- event: { command: git stash drop && npm publish }
  expect: { verdict: ask, by: publish/package }
- event: { name: turn-end, tests: fail }
  expect: { verdict: allow }
- event: turn-end
  expect: { verdict: allow }
- event: { name: pre-commit, path: .env }
  expect: { verdict: deny }
- event: { command: ls }
  expect: { verdict: allow }
`);
    const { code, stdout } = await holdfast(place, ["test"]);
    expect([code, stdout]).toEqual([0, "7 of 7 expectations met.\n"]);
  });

  test("are read from a file with a byte order mark and the line ends of Windows", async () => {
    put("\uFEFF- event: { command: ls }\r\n  expect: { verdict: allow }\r\n");
    expect(await holdfast(place, ["test"])).toMatchObject({ code: 0, stdout: "1 of 1 expectation met.\n" });
  });

  test.each(["", "[]\n", "# none yet\n"])("are missed in a file that holds none: %j", async (text) => {
    put("- event: { command: ls }\n  expect: { verdict: allow }\n", "a.yaml");
    put(text);
    const { code, stderr } = await holdfast(place, ["test"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/HF016 .*holdfast\/tests\/git\.yaml.* there are no expectations in this file/);
  });

  test("that are not met are named with file and line, also as JUnit", async () => {
    put(
      "- event: { command: ls <x> }\n  expect: { verdict: deny }\n- event: { command: git push -f }\n  expect: { verdict: ask, by: protect }\n",
    );
    put("- event: { path: a.ts }\n  expect: { verdict: allow }\n", "files.yml");
    const { code, stdout } = await holdfast(place, ["test", "--junit", "out.xml"]);
    expect([code, stdout]).toEqual([
      1,
      "✕ holdfast/tests/git.yaml:1  expectation 1\n    expected deny, got allow\n✕ holdfast/tests/git.yaml:3  expectation 2\n    expected it by protect, got ask by git/force-push\n1 of 3 expectations met.\n",
    ]);
    const report = readFileSync(join(place.project, "out.xml"), "utf8");
    expect(report).toContain('<testsuite name="holdfast" tests="3" failures="2">');
    expect(report).toContain('<failure message="expected deny, got allow"/>');
  });

  test.each([".env", "holdfast.yaml", "own.xml"])("do not overwrite %s with their report", async (name) => {
    put("- event: { command: ls }\n  expect: { verdict: allow }\n");
    writeFileSync(join(place.project, name), "mine\n");
    const { code, stderr } = await holdfast(place, ["test", "--junit", name]);
    expect([code, stderr.includes("no place for the report")]).toEqual([3, true]);
    expect(readFileSync(join(place.project, name), "utf8")).toBe("mine\n");
  });

  test.each([
    [
      "- { event: { comand: ls }, expect: { verdict: allow } }",
      'event has no "comand" — did you mean "command"?',
    ],
    [
      "- { event: { command: ls }, expect: { verdict: maybe } }",
      "expect.verdict wants allow, ask, deny, continue",
    ],
    ["- { event: { command: ls } }", "expect wants keys: verdict, by, message~"],
    ["- { event: { name: pre-tol, command: x }, expect: { verdict: allow } }", 'did you mean "pre-tool"?'],
    ["- { event: { command: ls, path: .env }, expect: { verdict: allow } }", "a shell call has no path"],
    ["- { event: { tool: write }, expect: { verdict: allow } }", "For example: path: .env"],
    ["- { event: { command: ls, agent: cloud }, expect: { verdict: allow } }", 'there is no agent "cloud"'],
    ["event: x", "the file wants a list of expectations"],
    ["- [", "HF015"],
  ])("%s is wrong, and is told with its line", async (text, words) => {
    put(`# first\n${text}\n`);
    const { code, stderr } = await holdfast(place, ["test"]);
    expect([code, stderr.includes(words), /git\.yaml:[23]/.test(stderr)]).toEqual([3, true, true]);
  });

  test("without any file it says where they go", async () => {
    const { code, stderr } = await holdfast(place, ["test"]);
    expect([code, stderr.includes("HF016")]).toEqual([3, true]);
  });
});
