import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { envelopeOf, holdfast, makePlace, type Place } from "./harness.ts";

let place: Place;
const inProject = (...names: string[]) => join(place.project, ...names);
const inHome = (...names: string[]) => join(place.home, ...names);
const read = (file: string) => readFileSync(file, "utf8");
/** A PATH with git and sh but none of the agents that may be on the machine of whoever runs this. */
const env = { PATH: "/usr/bin:/bin" };

beforeEach(() => {
  place = makePlace();
  writeFileSync(inProject("package.json"), '{ "scripts": { "test": "vitest" } }');
  writeFileSync(inProject("pnpm-lock.yaml"), "");
  mkdirSync(inHome(".claude"));
});
afterEach(() => place.remove());

describe("the wizard", () => {
  test("asks everything no flag answers, starting from what was found", async () => {
    const bin = inHome("share", "claude", "versions", "2.1.332");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "claude"), "#!/bin/sh\n", { mode: 0o755 });
    const withClaude = { PATH: `${bin}:${env.PATH}` };
    const { code, asked, stdout } = await holdfast(place, ["install"], {
      env: withClaude,
      answers: { Prove: false },
    });
    expect(code).toBe(0);
    expect(asked.map((line) => line.replace(/\{"agent":.*/s, "…"))).toEqual([
      'Where "project"',
      expect.stringMatching(/^Agents \[/),
      'Command that runs the tests (empty: none) "pnpm test"',
      'When tests fail "retry-then-ask"',
      'Write these 5 files? "yes"',
      expect.stringMatching(/^Prove it now\?.* false$/),
    ]);
    expect(stdout).toContain("Found  Claude Code 2.1.332, git pre-commit\n");
    expect(stdout).toContain("+  command: pnpm test");
    expect(existsSync(inProject(".claude", "settings.json"))).toBe(true);
    expect(existsSync(inProject(".git", "hooks", "pre-commit"))).toBe(true);
    expect(existsSync(inProject(".codex"))).toBe(false);
  });

  test("run again, it starts from the answers given before, and keeps comments", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "claude-code"], { env });
    const file = inProject("holdfast.yaml");
    writeFileSync(file, "# ours\ntests:\n  command: make check # quick\n  on_failure: ask\n");
    const answers = { "When tests fail": "notify", Prove: false };
    const { code, asked } = await holdfast(place, ["install", "--agent", "claude-code"], { env, answers });
    expect(code).toBe(0);
    expect(asked).toContain('Command that runs the tests (empty: none) "make check"');
    expect(read(file)).toBe("# ours\ntests:\n  command: make check # quick\n  on_failure: notify\n");
  });

  test("a flag is an answer", async () => {
    const argv = [
      "install",
      "--agent",
      "claude",
      "--scope",
      "project",
      "--test-command",
      "",
      "--on-failure",
      "ask",
      "--no-prove",
    ];
    const { asked } = await holdfast(place, argv, { env, answers: {} });
    expect(asked).toEqual(['Write these 4 files? "yes"']);
    expect(read(inProject("holdfast.yaml"))).toMatch(/ {2}command: "" .*\n {2}on_failure: ask /);
  });

  test("no is no: nothing is written", async () => {
    const answers = { Write: "no" };
    const { code, stderr } = await holdfast(place, ["install", "--agent", "claude-code"], { env, answers });
    expect(code).toBe(130);
    expect(stderr).toContain("Nothing was written.");
    expect(existsSync(inProject("holdfast.yaml"))).toBe(false);
    expect(existsSync(inHome(".holdfast"))).toBe(false);
  });

  test("an edited file of ours is replaced only when the person says so", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "opencode"], { env });
    const plugin = inProject(".opencode", "plugins", "holdfast.js");
    const mine = `${read(plugin)}// mine\n`;
    writeFileSync(plugin, mine);
    const kept = await holdfast(place, ["install", "--yes", "--agent", "opencode"], { env });
    expect(kept.code).toBe(1);
    expect(kept.stderr).toContain("HF102");
    expect(read(plugin)).toBe(mine);
    const answers = { "edited by hand": true, Prove: false };
    expect((await holdfast(place, ["install", "--agent", "opencode"], { env, answers })).code).toBe(0);
    expect(read(plugin)).not.toContain("// mine");
    expect((await holdfast(place, ["restore"])).stdout).toContain(".opencode/plugins/holdfast.js");
  });
});

describe("without questions", () => {
  test("nobody to ask: the command to type has every choice in it", async () => {
    const argv = ["install", "--agent", "codex", "--test-command", "it's fine", "--protect", "a,b"];
    const { code, stderr } = await holdfast(place, argv, { env });
    expect(code).toBe(1);
    expect(stderr).toContain(
      `holdfast install --yes --agent codex --scope project --test-command 'it'\\''s fine' --protect 'a,b'`,
    );
  });

  test("--yes takes what was found", async () => {
    const { json } = await envelopeOf(place, ["install", "--yes"], { env });
    expect(json).toMatchObject({
      ok: true,
      data: {
        scope: "project",
        agents: [
          { agent: "claude-code", scope: "project" },
          { agent: "git", scope: "project" },
        ],
        answers: { tests: { command: "pnpm test" } },
        written: [
          inProject(".claude", "settings.json"),
          inProject(".git", "hooks", "pre-commit"),
          inProject(".gitignore"),
          inProject(".holdfast", ".gitignore"),
          inProject("holdfast.yaml"),
        ],
      },
    });
  });

  test("--dry-run is the plan, with every diff, and writes nothing at all", async () => {
    const { code, json } = await envelopeOf(place, ["install", "--dry-run", "--agent", "claude-code"], {
      env,
    });
    expect(code).toBe(0);
    const { changes } = json.data as { changes: { file: string; diff: string }[] };
    expect(changes.map(({ file }) => file)).toContain(inProject(".claude", "settings.json"));
    expect(changes[0]?.diff).toContain("+++ .claude/settings.json");
    expect(existsSync(inProject(".claude"))).toBe(false);
    expect(existsSync(inHome(".holdfast"))).toBe(false);
  });

  test("for all my projects: the person's own files, and a manifest only when something was said", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "claude-code,codex", "--scope", "user"], { env });
    expect(existsSync(inHome(".claude", "settings.json"))).toBe(true);
    expect(existsSync(inHome(".codex", "hooks.json"))).toBe(true);
    const own = inHome(".config", "holdfast", "holdfast.yaml");
    expect([
      existsSync(own),
      existsSync(inProject("holdfast.yaml")),
      existsSync(inProject(".gitignore")),
    ]).toEqual([false, false, false]);
    const argv = ["install", "--yes", "--agent", "codex", "--scope", "user", "--on-failure", "notify"];
    await holdfast(place, argv, { env });
    expect(read(own)).toContain("on_failure: notify");
  });

  test("only me: the agent's local file; an agent without one is left out by name", async () => {
    const argv = ["install", "--yes", "--agent", "claude-code,codex,git", "--scope", "local"];
    const { code, stdout } = await holdfast(place, argv, { env });
    expect(code).toBe(0);
    expect(stdout).toContain("Codex has no local scope and is left out.");
    expect(existsSync(inProject(".claude", "settings.local.json"))).toBe(true);
    expect(existsSync(inProject(".claude", "settings.json"))).toBe(false);
  });

  test("outside any project there is only the person's own scope", async () => {
    const cwd = inHome("somewhere");
    mkdirSync(cwd);
    const { code, stderr } = await holdfast(
      place,
      ["install", "--yes", "--agent", "codex", "--scope", "project"],
      { env, cwd },
    );
    expect(code).toBe(3);
    expect(stderr).toContain("is in no project");
    const unsaid = await holdfast(place, ["install", "--yes", "--agent", "codex"], { env, cwd });
    expect(unsaid.code).toBe(1);
    expect(unsaid.stderr).toContain("holdfast install --yes --agent codex --scope user");
    expect(unsaid.stderr).toContain("git init");
    expect([existsSync(inHome(".codex")), existsSync(inHome(".holdfast"))]).toEqual([false, false]);
    const said = ["install", "--yes", "--agent", "codex,git", "--scope", "user"];
    const { code: done, stdout } = await holdfast(place, said, { env, cwd });
    expect(done).toBe(0);
    expect(stdout).toContain("Where  for all your projects\n");
    expect(stdout).toContain("git pre-commit needs a git repository and is left out.");
    expect(existsSync(inHome(".codex", "hooks.json"))).toBe(true);
    const alone = await holdfast(place, ["install", "--yes", "--agent", "git", "--scope", "user"], {
      env,
      cwd,
    });
    expect([alone.code, alone.stderr.includes("HF010")]).toEqual([1, true]);
  });

  test("the place is said in words, and so is an agent that goes elsewhere", async () => {
    const argv = ["install", "--yes", "--agent", "codex,git", "--dry-run", "--scope"];
    const project = await holdfast(place, [...argv, "project"], { env });
    expect(project.stdout).toContain("Where  for this project, for everyone\n");
    expect(project.stdout).not.toContain("this clone only");
    const user = await holdfast(place, [...argv, "user"], { env });
    expect(user.stdout).toContain("git pre-commit is for this clone only, whatever the scope.");
  });

  test("CLAUDE_CONFIG_DIR and CODEX_HOME are honoured", async () => {
    const moved = { ...env, CLAUDE_CONFIG_DIR: inHome("c"), CODEX_HOME: inHome("x") };
    await holdfast(place, ["install", "--yes", "--agent", "claude-code,codex", "--scope", "user"], {
      env: moved,
    });
    expect([existsSync(inHome("c", "settings.json")), existsSync(inHome("x", "hooks.json"))]).toEqual([
      true,
      true,
    ]);
  });

  test("a settings file that does not parse is left alone and named; the rest is installed", async () => {
    mkdirSync(inProject(".codex"));
    writeFileSync(inProject(".codex", "hooks.json"), "{ oops");
    const { code, stderr } = await holdfast(place, ["install", "--yes", "--agent", "claude-code,codex"], {
      env,
    });
    expect(code).toBe(1);
    expect(stderr).toContain(".codex/hooks.json");
    expect(read(inProject(".codex", "hooks.json"))).toBe("{ oops");
    expect(existsSync(inProject(".claude", "settings.json"))).toBe(true);
  });
});

test("a hooks folder outside the repository: whom else the hook reaches is said before it is written", async () => {
  execFileSync("git", ["config", "core.hooksPath", inHome("hooks")], { cwd: place.project });
  const argv = ["install", "--yes", "--agent", "git"];
  const planned = await holdfast(place, [...argv, "--dry-run"], { env });
  expect(planned.stderr).toContain("HF606");
  expect(planned.stderr).toContain("in every repository that uses this folder");
  const { code, stderr } = await holdfast(place, argv, { env });
  expect([code, stderr.includes("HF606"), existsSync(inHome("hooks", "pre-commit"))]).toEqual([
    0,
    true,
    true,
  ]);
  execFileSync("git", ["config", "core.hooksPath", ".git/hooks"], { cwd: place.project });
  expect((await holdfast(place, argv, { env })).stderr).not.toContain("HF606");
});

describe("an agent whose file is refused", () => {
  const refusals: [string, (file: string) => void][] = [
    ["HF104", (file) => writeFileSync(file, "{ oops")],
    ["HF110", (file) => writeFileSync(file, '{ "hooks": [] }')],
    ["HF115", (file) => writeFileSync(file, "{}", { mode: 0o444 })],
  ];

  test.each(refusals)("%s: asked for alone, nothing is written and nothing promised", async (code, spoil) => {
    const file = inProject(".claude", "settings.json");
    mkdirSync(dirname(file));
    spoil(file);
    const before = readdirSync(place.project).sort();
    const ran = await holdfast(place, ["install", "--yes", "--agent", "claude-code"], { env });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(code);
    expect(ran.stdout).toContain("Not installed: Claude Code, for the reason above.\nNothing was written.\n");
    expect(ran.stdout).not.toMatch(/To switch it on|What each agent|block|Next:|Written/);
    expect(readdirSync(place.project).sort()).toEqual(before);
    expect(existsSync(inHome(".holdfast"))).toBe(false);
    const { stdout } = await holdfast(place, ["status"], { env });
    expect(stdout).not.toMatch(/Claude Code +project/);
  });

  test("beside others it is named, and is in no table and no activation", async () => {
    mkdirSync(inProject(".codex"));
    writeFileSync(inProject(".codex", "hooks.json"), '{ "hooks": [] }');
    const argv = ["install", "--yes", "--agent", "claude-code,codex"];
    const { code, stdout } = await holdfast(place, argv, { env });
    expect(code).toBe(1);
    expect(stdout).toContain("Not installed: Codex, for the reason above.");
    expect(stdout.match(/Codex/g)).toHaveLength(1);
    const { json } = await envelopeOf(place, argv, { env });
    expect(json).toMatchObject({ ok: false, data: { notInstalled: ["codex"] } });
    expect((json.data as { agents: { agent: string }[] }).agents.map(({ agent }) => agent)).toEqual([
      "claude-code",
    ]);
  });
});

describe("uninstall", () => {
  const settings =
    '{\n\t"model": "x",\n\t"hooks": {\n\t\t"Stop": [ {"hooks": [{"type": "command", "command": "mine"}]} ]\n\t}\n}';

  test("takes out what was put in, to the byte, and the launcher with the last of it", async () => {
    const file = inProject(".claude", "settings.json");
    mkdirSync(dirname(file));
    writeFileSync(file, settings);
    const { stdout } = await holdfast(place, ["install", "--yes", "--agent", "claude-code,codex"], { env });
    expect(stdout).toContain("1 hook that is not ours stays: Claude Code 1\n");
    expect(read(file)).toContain('"command": "mine"');
    const some = await holdfast(place, ["uninstall", "--yes", "--agent", "codex"], { env });
    expect(some.code).toBe(0);
    expect(existsSync(inProject("holdfast.yaml"))).toBe(true);
    expect(existsSync(inHome(".holdfast", "bin", "holdfast"))).toBe(true);
    await holdfast(place, ["uninstall", "--yes"], { env });
    expect(read(file)).toBe(settings);
    expect(
      [inProject("holdfast.yaml"), inProject(".gitignore"), inHome(".holdfast", "bin")].map((path) =>
        existsSync(path),
      ),
    ).toEqual([false, false, false]);
  });

  test("--keep-manifest keeps it; --purge-state forgets everything else", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "claude-code"], { env });
    const { code } = await holdfast(place, ["uninstall", "--yes", "--keep-manifest", "--purge-state"], {
      env,
    });
    expect(code).toBe(0);
    expect(existsSync(inProject("holdfast.yaml"))).toBe(true);
  });

  test("in a project it leaves the person's own scope alone, and says so", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "claude-code", "--scope", "user"], { env });
    await holdfast(place, ["install", "--yes", "--agent", "codex", "--scope", "project"], { env });
    const { stdout } = await holdfast(place, ["uninstall", "--yes"], { env });
    expect(stdout).toContain("Still installed for all your projects: Claude Code.");
    expect(existsSync(inHome(".claude", "settings.json"))).toBe(true);
    await holdfast(place, ["uninstall", "--yes"], { env });
    expect(existsSync(inHome(".claude", "settings.json"))).toBe(false);
  });

  test("what remains elsewhere is named with the command that really removes it", async () => {
    const argv = ["install", "--yes", "--agent", "claude-code,git", "--scope", "user"];
    await holdfast(place, argv, { env });
    const { stdout } = await holdfast(place, ["uninstall", "--yes", "--scope", "user"], { env });
    expect(stdout).toContain(
      "Still installed for this project: git pre-commit. To take that out too: holdfast uninstall --scope project\n",
    );
    expect(stdout).not.toContain("for all your projects");
    const rest = await holdfast(place, ["uninstall", "--yes", "--scope", "project"], { env });
    expect(rest.stdout).not.toContain("Still installed");
  });

  test("a project that was moved is known by its files, and is as before", async () => {
    writeFileSync(inProject(".git", "hooks", "pre-commit"), "#!/bin/sh\n", { mode: 0o755 });
    const before = execFileSync("find", ["."], { cwd: place.project, encoding: "utf8" });
    await holdfast(place, ["install", "--yes", "--agent", "claude-code,opencode,git"], { env });
    const cwd = `${place.project}-moved`;
    renameSync(place.project, cwd);
    const { json } = await envelopeOf(place, ["doctor"], { env, cwd });
    const codes = (json.findings as { code: string }[]).map(({ code }) => code);
    expect(codes.filter((code) => !["HF320", "HF501", "HF503"].includes(code))).toEqual(["HF129"]);
    const { code, stdout } = await holdfast(place, ["uninstall", "--yes"], { env, cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("Taken out of 6 files; 6 byte for byte as before.");
    expect(execFileSync("find", ["."], { cwd, encoding: "utf8" })).toBe(before);
    expect(existsSync(inHome(".holdfast", "bin"))).toBe(false);
  });

  test("a copy has no record of its own, and does not take that of the original", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "claude-code"], { env });
    const cwd = `${place.project}-copy`;
    cpSync(place.project, cwd, { recursive: true });
    const { json } = await envelopeOf(place, ["doctor"], { env, cwd });
    const found = (json.findings as { code: string; severity: string; file: string }[]).filter(
      ({ code }) => code === "HF109",
    );
    expect(found).toMatchObject([{ severity: "info", file: join(cwd, ".claude", "settings.json") }]);
    await holdfast(place, ["uninstall", "--yes"], { env, cwd });
    expect((await holdfast(place, ["uninstall", "--yes"], { env })).stdout).toContain("4 byte for byte");
  });

  test("the record deleted: each file left is named", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "claude-code,opencode"], { env });
    rmSync(inHome(".holdfast"), { recursive: true });
    const cwd = place.project;
    const { json, stdout } = await envelopeOf(place, ["uninstall", "--yes"], { env, cwd });
    const { left } = json.data as { left: { file: string }[] };
    expect(left.map(({ file }) => file)).toEqual([
      join(cwd, ".claude", "settings.json"),
      join(cwd, ".gitignore"),
      join(cwd, "holdfast.yaml"),
      join(cwd, ".opencode", "plugins"),
      join(cwd, ".holdfast"),
    ]);
    expect(stdout).toContain("the record of the install is not here to tell");
  });

  test("a person who says no keeps it", async () => {
    await holdfast(place, ["install", "--yes", "--agent", "claude-code"], { env });
    const { code } = await holdfast(place, ["uninstall"], { env, answers: { "Take Holdfast out": false } });
    expect(code).toBe(130);
    expect(existsSync(inProject(".claude", "settings.json"))).toBe(true);
  });
});

describe("git hooks inside the repository", () => {
  const argv = ["install", "--yes", "--agent", "git"];
  const husky = () => inProject(".husky", "pre-commit");
  beforeEach(() => {
    mkdirSync(inProject(".husky"));
    writeFileSync(husky(), "npm test\n");
    execFileSync("git", ["config", "core.hooksPath", ".husky/_"], { cwd: place.project });
  });

  test("nothing is promised before the line is added", async () => {
    const { stdout } = await holdfast(place, argv, { env });
    expect(stdout).toContain("By hand  .husky/pre-commit");
    expect(stdout).not.toMatch(/commit refused {2}|each commit/);
    const line = /add this line to .*\n *(.*)\n/.exec(stdout)?.[1] ?? "";
    mkdirSync(inProject(".husky", "_"));
    writeFileSync(inProject(".husky", "_", "pre-commit"), 'sh -e "$(dirname "$0")/../pre-commit"\n', {
      mode: 0o755,
    });
    writeFileSync(husky(), `npm test\n${line}\n`);
    expect((await holdfast(place, argv, { env })).stdout).toMatch(/git pre-commit +commit refused/);
    const { stdout: out } = await holdfast(place, ["uninstall", "--yes"], { env });
    expect(out).toContain("Left  .husky/pre-commit: the line that you added by hand still calls Holdfast.");
  });

  test("uninstall takes out what the project got, and the person's own scope stays", async () => {
    const before = readdirSync(place.project).sort();
    await holdfast(place, ["install", "--yes", "--agent", "codex", "--scope", "user"], { env });
    await holdfast(place, [...argv, "--scope", "project"], { env });
    expect(existsSync(inProject("holdfast.yaml"))).toBe(true);
    const { code, stdout } = await holdfast(place, ["uninstall", "--yes"], { env });
    expect(code).toBe(0);
    expect(stdout).toContain("Taken out of 3 files; 3 byte for byte as before.");
    expect(readdirSync(place.project).sort()).toEqual(before);
    expect(existsSync(inHome(".codex", "hooks.json"))).toBe(true);
  });
});

describe("restore", () => {
  test("a manifest that was put back is the person's own, and uninstall says so", async () => {
    const file = inProject("holdfast.yaml");
    const argv = ["install", "--yes", "--agent", "claude-code", "--test-command", "make check"];
    writeFileSync(file, "version: 1\n");
    await holdfast(place, argv, { env });
    expect(read(file)).not.toBe("version: 1\n");
    await holdfast(place, ["restore", "--file", "holdfast.yaml", "--yes"], { env });
    const { stdout } = await holdfast(place, ["uninstall", "--yes"], { env });
    expect(stdout).toContain("holdfast.yaml: your own from before the install, so it stays\n");
    expect(stdout).not.toContain("edited since");
    expect(read(file)).toBe("version: 1\n");
  });

  test("puts the bytes from before the install back", async () => {
    const file = inProject(".codex", "hooks.json");
    mkdirSync(dirname(file));
    writeFileSync(file, '{"hooks":{}}');
    await holdfast(place, ["install", "--yes", "--agent", "codex"], { env });
    const { code, stdout } = await holdfast(place, ["restore", "--file", ".codex/hooks.json", "--yes"], {
      env,
    });
    expect(code).toBe(0);
    expect(stdout).toContain("Restored .codex/hooks.json");
    expect(read(file)).toBe('{"hooks":{}}');
    expect(
      (await holdfast(place, ["restore", "--file", ".codex/hooks.json", "--yes"], { env })).stdout,
    ).toContain("Nothing to do.");
    expect((await holdfast(place, ["restore", "nothing"], { env })).code).toBe(3);
  });
});
