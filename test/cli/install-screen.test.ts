import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { holdfast, makePlace, type Place } from "./harness.ts";

let place: Place;
let mark: string;
let env: { PATH: string };

const programs = ["claude", "codex", "copilot", "droid", "gemini", "grok", "opencode", "qwen"];

/** Each stand-in leaves a mark when it is started, and takes as long as nobody would wait. */
beforeEach(() => {
  place = makePlace();
  writeFileSync(join(place.project, "package.json"), '{ "scripts": { "test": "vitest" } }');
  mark = join(place.home, "started");
  for (const name of programs) {
    const folder = join(place.home, "lib", "node_modules", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "version": "1.2.3" }');
    writeFileSync(join(folder, name), `#!/bin/sh\necho ${name} >> '${mark}'\nexec sleep 600\n`, {
      mode: 0o755,
    });
  }
  const folders = programs.map((name) => join(place.home, "lib", "node_modules", name));
  env = { PATH: [...folders, "/usr/bin", "/bin"].join(":") };
});
afterEach(() => place.remove());

test("with eight agents: one screen of 80 columns, and no agent is started", async () => {
  const { code, stdout, stderr } = await holdfast(place, ["install", "--yes"], { env, width: 80 });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(screen);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(existsSync(mark)).toBe(false);
});

test("agents that are here and were not chosen are named", async () => {
  const argv = ["install", "--yes", "--agent", "claude-code,codex,git"];
  const { stdout } = await holdfast(place, argv, { env, width: 80 });
  expect(stdout).toContain(
    "\nNot guarded: Copilot CLI, Factory Droid, Gemini CLI, Grok, OpenCode, Qwen Code\n\nNext: ",
  );
  const again = await holdfast(place, [...argv, "--quiet"], { env, width: 80 });
  expect(again.stdout).not.toContain("Not guarded");
});

test("asking for agents, status, doctor and uninstall start none either", async () => {
  for (const argv of [["install", "--dry-run"], ["status"], ["doctor"], ["uninstall", "--yes"]])
    await holdfast(place, argv, { env });
  expect(existsSync(mark)).toBe(false);
});

const screen = `Found  Claude Code 1.2.3, Codex 1.2.3, Copilot CLI 1.2.3, Factory Droid 1.2.3,
       Gemini CLI 1.2.3, Grok 1.2.3, OpenCode 1.2.3, Qwen Code 1.2.3,
       git pre-commit
Found  test command: npm test
Where  for this project, for everyone

What each agent can carry out   (all of it: holdfast coverage)
                  protected files  risky commands         tests at the end
  Claude Code     blocked          you are asked          sent back
  Codex           blocked          refused; yours to run  sent back
  Copilot CLI     blocked          you are asked          sent back
  Factory Droid   blocked          refused; yours to run  sent back
  Gemini CLI      blocked          refused; yours to run  sent back
  Grok            blocked          refused; yours to run  sent back
  OpenCode        blocked          you are asked          sent back
  Qwen Code       blocked          you are asked          sent back
  git pre-commit  commit refused   –                      run at each commit

Written: .claude/settings.json, .codex/hooks.json, .github/hooks/holdfast.json,
         .factory/settings.json, .gemini/settings.json,
         .grok/hooks/holdfast.json, .opencode/plugins/holdfast.js,
         .qwen/settings.json, .git/hooks/pre-commit, .gitignore,
         .holdfast/.gitignore, holdfast.yaml

To switch it on
  Claude Code  Takes effect in the next session (now: open /hooks once), in
    folders you trust, if started right here; in sub-folders use --scope user.
  Codex  Start codex here, trust the project, type /hooks and approve the
    holdfast hooks; until then Codex runs none and says nothing.
  Copilot CLI  Start copilot here and trust the folder; takes effect in the next
    session. Until then runs with -p need --trust-folder.
  Factory Droid  Takes effect in the next session.
  Gemini CLI  Start gemini here and trust the folder; /hooks then lists them.
    Without a terminal: GEMINI_CLI_TRUST_WORKSPACE=true.
  Grok  Start grok here and type /hooks-trust, or start it once with --trust;
    until then Grok skips these hooks in silence.
  OpenCode  Restart OpenCode; it loads plugins when it starts.
  Qwen Code  Takes effect in the next session; if folder trust is on, trust it.

Next: holdfast prove   (your own agents, a scripted model, nothing spent)
`;
